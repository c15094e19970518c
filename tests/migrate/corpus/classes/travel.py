from .base import BaseAgent


class TravelAgent(BaseAgent):
    name = "travel"

    @property
    def system_prompt(self) -> str:
        return "You plan trips."
