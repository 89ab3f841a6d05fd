"""Views: anything that shows a snapshot. The OLED's pixels, the terminal; each a pure drawing of one value."""
