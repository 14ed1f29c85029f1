"""Writes a small random model for llama.cpp, in its format GGUF."""
import random
import struct
import sys

EMBEDDING, HIDDEN, WORDS, HEADS, LAYERS, CONTEXT = 512, 1024, 256, 8, 2, 1024
U32, F32, STRING = 4, 6, 8
FLOAT, HALF = 0, 1


def text(s):
    return struct.pack("<Q", len(s)) + s.encode()


def value(v):
    if isinstance(v, str):
        return struct.pack("<I", STRING) + text(v)
    if isinstance(v, float):
        return struct.pack("<If", F32, v)
    return struct.pack("<II", U32, v)


keys = {
    "general.architecture": "llama", "general.name": "random", "general.file_type": 1,
    "llama.context_length": CONTEXT, "llama.embedding_length": EMBEDDING, "llama.block_count": LAYERS,
    "llama.feed_forward_length": HIDDEN, "llama.attention.head_count": HEADS, "llama.attention.head_count_kv": HEADS,
    "llama.attention.layer_norm_rms_epsilon": 1e-5, "llama.rope.dimension_count": EMBEDDING // HEADS,
    "llama.vocab_size": WORDS, "tokenizer.ggml.model": "none",
}
tensors = [("token_embd.weight", (EMBEDDING, WORDS), HALF), ("output_norm.weight", (EMBEDDING,), FLOAT),
           ("output.weight", (EMBEDDING, WORDS), HALF)]
for i in range(LAYERS):
    square = (EMBEDDING, EMBEDDING)
    for name, shape in (("attn_norm", (EMBEDDING,)), ("attn_q", square), ("attn_k", square), ("attn_v", square),
                        ("attn_output", square), ("ffn_norm", (EMBEDDING,)), ("ffn_gate", (EMBEDDING, HIDDEN)),
                        ("ffn_up", (EMBEDDING, HIDDEN)), ("ffn_down", (HIDDEN, EMBEDDING))):
        tensors.append((f"blk.{i}.{name}.weight", shape, FLOAT if len(shape) == 1 else HALF))

head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys))
for key, v in keys.items():
    head += text(key) + value(v)
data = b""
chance = random.Random(1)
for name, shape, kind in tensors:
    head += text(name) + struct.pack("<I", len(shape)) + b"".join(struct.pack("<Q", n) for n in shape)
    head += struct.pack("<IQ", kind, len(data))
    count = shape[0] * (shape[1] if len(shape) > 1 else 1)
    if kind == FLOAT:
        block = struct.pack(f"<{count}f", *([1.0] * count))
    else:
        row = struct.pack("<512e", *(chance.uniform(-0.05, 0.05) for _ in range(512)))
        block = (row * (count // 512 + 1))[:2 * count]
    data += block + bytes(-len(block) % 32)
head += bytes(-len(head) % 32)
with open(sys.argv[1], "wb") as out:
    out.write(head + data)
