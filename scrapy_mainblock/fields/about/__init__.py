"""What a page is: when it was published and by whom, its picture, language and description."""
