"""A bot on Gradio that writes its answer word by word, for Scenarios/peers/gradio_chat.lua. Argument: the port."""

import sys
import time

import gradio


def answer(text, history):
    words = f"You said: {text}".split(" ")
    for count in range(1, len(words) + 1):
        yield " ".join(words[:count])
        time.sleep(0.01)


with gradio.Blocks() as app:
    gradio.ChatInterface(answer, api_name="chat")

app.queue(default_concurrency_limit=100).launch(
    server_name="127.0.0.1", server_port=int(sys.argv[1]), quiet=True, share=False)
