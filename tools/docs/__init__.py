"""The documentation site: sources for MkDocs, in English and in German."""
