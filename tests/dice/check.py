"""Faces of one key, computed without the project's code: HMAC-SHA256, ChaCha20 (RFC 8439 block function with the
64-bit counter and 64-bit nonce of the original cipher, both zero at the start), bytes below 252 taken modulo 6."""
import hashlib
import hmac
import struct
import sys


def rotl(x, n):
    return ((x << n) & 0xFFFFFFFF) | (x >> (32 - n))


def block(key, counter):
    state = list(struct.unpack("<4I", b"expand 32-byte k")) + list(struct.unpack("<8I", key))
    state += [counter & 0xFFFFFFFF, counter >> 32, 0, 0]
    w = state[:]

    def quarter(a, b, c, d):
        w[a] = (w[a] + w[b]) & 0xFFFFFFFF; w[d] = rotl(w[d] ^ w[a], 16)
        w[c] = (w[c] + w[d]) & 0xFFFFFFFF; w[b] = rotl(w[b] ^ w[c], 12)
        w[a] = (w[a] + w[b]) & 0xFFFFFFFF; w[d] = rotl(w[d] ^ w[a], 8)
        w[c] = (w[c] + w[d]) & 0xFFFFFFFF; w[b] = rotl(w[b] ^ w[c], 7)

    for _ in range(10):
        quarter(0, 4, 8, 12); quarter(1, 5, 9, 13); quarter(2, 6, 10, 14); quarter(3, 7, 11, 15)
        quarter(0, 5, 10, 15); quarter(1, 6, 11, 12); quarter(2, 7, 8, 13); quarter(3, 4, 9, 14)
    return struct.pack("<16I", *[(a + b) & 0xFFFFFFFF for a, b in zip(w, state)])


def faces(secret, key, count):
    seed = hmac.new(secret, key.encode(), hashlib.sha256).digest()
    out, counter = [], 0
    while len(out) < count:
        out += [b % 6 + 1 for b in block(seed, counter) if b < 252]
        counter += 1
    return out[:count]


if __name__ == "__main__":
    secret, key, count = bytes.fromhex(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    print(faces(secret, key, count))
