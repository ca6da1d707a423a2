import { randomBytes, randomUUID } from "node:crypto";
import type { Random } from "./random.ts";

/** The operating system's generator. Used in `main` and passed to everything else. */
export const systemRandom: Random = {
  bytes: (length) => new Uint8Array(randomBytes(length)),
  fraction: () => randomBytes(4).readUInt32BE() / 2 ** 32,
  uuid: () => randomUUID(),
};
