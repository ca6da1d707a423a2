import { randomBytes, randomInt, randomUUID } from "node:crypto";
import type { Random } from "./random.ts";

/** The operating system's generator. Used in `main` and passed to everything else. */
export const systemRandom: Random = {
  bytes: (length) => new Uint8Array(randomBytes(length)),
  // Unlike `randomBytes`, it takes many numbers from the system at once: jitter is asked for all the time.
  fraction: () => randomInt(2 ** 32) / 2 ** 32,
  uuid: () => randomUUID(),
};
