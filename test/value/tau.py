# SPDX-License-Identifier: MIT
#
# tau.py -- the tools of tau-bench (a checkout of sierra-research/tau-bench) as an MCP server on stdio.
#
#	python3 tau.py TAU retail|airline [--tasks]
#
# --tasks: prints the tasks of the test split with their gold calls, a line of JSON.

import importlib
import json
import sys
import types
from unittest.mock import MagicMock

tau, domain = sys.argv[1:3]
sys.path.insert(0, tau)


class Record:
    """What the tasks need of pydantic's BaseModel."""

    def __init__(self, **members):
        self.__dict__.update(members)


sys.modules["litellm"] = MagicMock()  # asks models, which nothing here does
sys.modules["pydantic"] = types.SimpleNamespace(BaseModel=Record)
of = lambda name: importlib.import_module(f"tau_bench.envs.{domain}.{name}")

if "--tasks" in sys.argv:
    split = of("tasks_test")
    tasks = getattr(split, "TASKS_TEST", None) or split.TASKS
    print(json.dumps([[[a.name, a.kwargs] for a in t.actions] for t in tasks]))
    sys.exit()

data = of("data").load_data()
known = {t.get_info()["function"]["name"]: t for t in of("tools").ALL_TOOLS}


def listed(function):
    return {"name": function["name"], "description": function["description"], "inputSchema": function["parameters"]}


def call(name, arguments):
    try:
        said = known[name].invoke(data=data, **arguments)
    except Exception as error:
        said = f"Error: {error}"
    return {"content": [{"type": "text", "text": said}]}


def answer(method, params):
    if method == "initialize":
        return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "tau", "version": "1"}}
    if method == "tools/list":
        return {"tools": [listed(t.get_info()["function"]) for t in known.values()]}
    if method == "tools/call":
        return call(params["name"], params["arguments"])
    return None


for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    result = answer(asked["method"], asked.get("params"))
    reply = {"result": result} if result is not None else {"error": {"code": -32601, "message": "not here"}}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **reply}), flush=True)
