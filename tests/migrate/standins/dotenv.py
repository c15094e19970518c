def load_dotenv(*_, **__):
    """No .env is read in a test."""
    return True
