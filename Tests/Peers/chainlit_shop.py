"""The bot of a shop on Chainlit, which asks, streams and shows a form, for Scenarios/peers/chainlit_shop.lua.

Argument: the port.
"""

import asyncio
import os
import sys
import tempfile

if __name__ == "__main__":
    os.environ.update(
        CHAINLIT_HOST="127.0.0.1", CHAINLIT_PORT=sys.argv[1], CHAINLIT_APP_ROOT=tempfile.mkdtemp(),
        CHAINLIT_AUTH_SECRET="0123456789abcdef" * 4)

import chainlit


@chainlit.password_auth_callback
def user(name, password):
    return chainlit.User(identifier=name) if password == "open sesame" else None


@chainlit.on_chat_start
async def start():
    person = chainlit.Action(name="person", label="Talk to a person", payload={})
    await chainlit.Message(content="How can I help?", actions=[person]).send()


@chainlit.action_callback("person")
async def person(action):
    await chainlit.Message(content="Somebody will call you.").send()


@chainlit.step(type="tool")
async def look_up(number):
    return "shipped this morning" if number == "4711" else "never made"


async def answer(number):
    message = chainlit.Message(content="")
    for word in f"Your order {number} was {await look_up(number)}.".split(" "):
        await message.stream_token(word + " ")
        await asyncio.sleep(0.005)
    await message.send()


async def complain():
    fields = [{"key": "order", "type": "number", "required": True}, {"key": "why", "options": ["late", "broken"]}]
    form = chainlit.CustomElement(name="Complaint", props={"fields": fields})
    said = await chainlit.AskElementMessage(content="What happened?", element=form).send()
    if said:
        await chainlit.Message(content=f"Noted: {said['order']:.0f} is {said['why']}").send()


@chainlit.on_message
async def hear(message):
    if message.content == "I complain":
        return await complain()
    said = await chainlit.AskUserMessage(content="What is the number of your order?").send()
    if said:
        await answer(said["output"])


if __name__ == "__main__":
    from chainlit.cli import run_chainlit
    from chainlit.config import config

    config.run.headless = True
    run_chainlit(__file__)
