import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Random } from "../kernel/random.ts";
import { writeAtomically } from "./write-atomically.ts";

/**
 * Reads a secret from a file (mode 0600) and creates it on first use: 256 random bits in base64url. For secrets internal to one
 * installation, such as the password of its own database.
 */
export async function storedSecret(path: string, random: Random): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const secret = Buffer.from(random.bytes(32)).toString("base64url");
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeAtomically(path, `${secret}\n`);
  return secret;
}
