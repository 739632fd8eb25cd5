"""One rank of a handshake, in Python: a client of handshake.proto to start from.

It needs grpcio, protobuf and typing_extensions, and the modules that grpcio-tools makes:

    python -m grpc_tools.protoc -I handshake/src/main/proto --python_out=GEN --grpc_python_out=GEN \\
        lockstep/handshake/v1/handshake.proto
    PYTHONPATH=GEN python handshake_client.py --coordinator localhost:36423 --rank 1 --world 2 \\
        --token-file token step1.txt step2.txt

A program is a text file here; each line that starts with "collective " is a collective of all
ranks. What is sent of a program are hashes, and any hash will do as long as every rank of the job
uses the same: its name goes into Versions.fingerprints, and other names are refused.

One line is printed for each program: its verdict as JSON.
"""

import argparse
import hashlib
import json
import queue
import re
import secrets
import sys
import threading

import grpc
from google.protobuf import json_format

from lockstep.handshake.v1 import handshake_pb2 as pb
from lockstep.handshake.v1 import handshake_pb2_grpc as rpc

HEARTBEAT_SECONDS = 3


def words(text):
    """The first 16 bytes of a hash, as two unsigned 64-bit numbers."""
    digest = hashlib.sha256(text.encode()).digest()
    return int.from_bytes(digest[:8], "big"), int.from_bytes(digest[8:16], "big")


def fingerprint(text):
    high, low = words(text)
    return pb.Fingerprint(high=high, low=low)


def describe(number, name, text):
    """Returns what the coordinator is told of a program."""
    calls, regions, region = [], [], ""
    for line in text.splitlines():
        if line.startswith("collective "):
            regions += [words(region)[0], words(line)[0]]
            calls.append(line.removeprefix("collective "))
            region = ""
        else:
            region += line + "\n"
    regions.append(words(region)[0])
    return pb.DefineProgram(
        number=number,
        name=name,
        whole=fingerprint(text),
        # Without literals: what differs in nothing else can be repaired.
        structural=fingerprint(re.sub(r"\d+", "#", text)),
        regions=regions,
        call_groups=[0] * len(calls),
        call_signatures=[words(call)[0] for call in calls],
        call_texts=calls,
    )


class Rank:
    """A rank's stream. Connecting again after it breaks (docs/wire.md, step 6) is left out."""

    def __init__(self, arguments, token):
        self.arguments = arguments
        self.token = token
        self.outgoing = queue.Queue()
        self.sequence = 0
        self.issued = 0
        self.programs = 0
        self.ended = threading.Event()
        if arguments.tls_ca:
            with open(arguments.tls_ca, "rb") as file:
                credentials = grpc.ssl_channel_credentials(file.read())
            self.channel = grpc.secure_channel(arguments.coordinator, credentials)
        else:
            self.channel = grpc.insecure_channel(arguments.coordinator)
        self.incoming = rpc.HandshakeStub(self.channel).Session(iter(self.outgoing.get, None))

    def send(self, *messages):
        self.outgoing.put(pb.ClientFrame(messages=messages))

    def greet(self):
        hello = pb.Hello(
            job=self.arguments.job,
            token=self.token,
            epoch=self.arguments.epoch,
            rank=self.arguments.rank,
            world=self.arguments.world,
            incarnation=secrets.randbits(64),
            stage=pb.STAGE_DISPATCH,
            versions=pb.Versions(protocol=1, fingerprints="sha256-text-1", compiler="example"),
            first_sequence=0,
            connection=1,
        )
        everybody = pb.DefineGroup(number=0, ranks=range(self.arguments.world))
        self.send(pb.ClientMessage(hello=hello), pb.ClientMessage(define_group=everybody))
        threading.Thread(target=self.beat, daemon=True).start()

    def beat(self):
        """Says again and again that the rank lives. While it compiles, progress would rise."""
        while not self.ended.wait(HEARTBEAT_SECONDS):
            self.send(pb.ClientMessage(alive=pb.Alive(rank=self.arguments.rank)))

    def ask(self, name, text):
        """Asks about a program, and returns the verdict."""
        program = describe(self.programs, name, text)
        calls = len(program.call_groups)
        ask = pb.Ask(
            ranks=[self.arguments.rank],
            sequence=self.sequence,
            program=self.programs,
            uses=[pb.Use(group=0, before=self.issued, count=calls)],
        )
        self.send(pb.ClientMessage(define_program=program), pb.ClientMessage(ask=ask))
        self.programs += 1
        self.sequence += 1
        self.issued += calls
        for frame in self.incoming:
            for message in frame.messages:
                if message.HasField("refuse"):
                    raise PermissionError(f"{message.refuse.code}: {message.refuse.text}")
                if message.HasField("answer") and message.answer.sequence == ask.sequence:
                    return message.answer.verdict
        raise ConnectionError("the coordinator has ended the stream")

    def leave(self):
        self.ended.set()
        self.send(pb.ClientMessage(leave=pb.Leave(rank=self.arguments.rank)))
        self.outgoing.put(None)
        for _ in self.incoming:
            pass
        self.channel.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--coordinator", required=True)
    parser.add_argument("--job", default="job")
    parser.add_argument("--rank", type=int, required=True)
    parser.add_argument("--world", type=int, required=True)
    parser.add_argument("--epoch", type=int, default=0)
    parser.add_argument("--token-file")
    parser.add_argument("--tls-ca")
    parser.add_argument("programs", nargs="+")
    arguments = parser.parse_args()
    token = ""
    if arguments.token_file:
        with open(arguments.token_file, encoding="utf-8") as file:
            token = file.read().strip()
    rank = Rank(arguments, token)
    rank.greet()
    try:
        for path in arguments.programs:
            with open(path, encoding="utf-8") as file:
                verdict = rank.ask(path, file.read())
            print(json.dumps(json_format.MessageToDict(verdict), sort_keys=True), flush=True)
        rank.leave()
    except PermissionError as refused:
        print(json.dumps({"refused": str(refused)}), flush=True)
        sys.exit(3)


if __name__ == "__main__":
    main()
