"""The files of the page: read and packed once, when the table is switched on."""
