"""What a page leaves in the document and in the browser: its language, its cookies, its behaviour."""
