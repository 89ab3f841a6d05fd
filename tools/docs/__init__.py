"""The documentation site: the pages that MkDocs makes HTML of, in English and in German."""
