import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomically } from "../../platform/processes/write-atomically.ts";

/**
 * Tells a signer's folder from an older copy of it. The witness's record contains a token that both signers wrote to their folders
 * before, and that the active one replaces while it runs; a backup contains none.
 */
export type FolderTokens = {
  /** Whether this is the folder that the record names. One without a token names any: a person wrote the record. */
  readonly isNamed: (token: string | null) => boolean;
  /** A token for the next record, the same one until it is kept. Resolves once it is on the disk, beside the earlier ones. */
  readonly draw: () => Promise<string>;
  /** Forgets all others: the witness granted the record with this one. */
  readonly keep: (token: string) => Promise<void>;
  /** Adds the active signer's token. Resolves once it is on the disk. */
  readonly take: (token: string) => Promise<void>;
};

export const tokenFileName = "pair.token";

/** How many tokens of the other signer are kept: more than may wait for the witness at a time. */
const takenMax = 10;

/** Opens the file `pair.token` in the signer's folder, one token per line; it is created with the first token. */
export async function openFolderTokens(folder: string): Promise<FolderTokens> {
  const path = join(folder, tokenFileName);
  const text = existsSync(path) ? await readFile(path, "utf8") : "";
  let tokens = text.split("\n").filter((token) => token !== "");
  let drawn: string | null = null;
  const write = async (next: readonly string[]): Promise<void> => {
    await writeAtomically(path, next.map((token) => `${token}\n`).join(""));
    tokens = [...next];
  };
  return {
    isNamed: (token) => token === null || tokens.includes(token),
    draw: async () => {
      const token = drawn ?? randomUUID();
      // Which of its writes the witness granted may stay unknown, so every token that it may hold is kept.
      if (!tokens.includes(token)) await write([...tokens, token]);
      drawn = token;
      return token;
    },
    keep: async (token) => {
      if (tokens.length > 1) await write([token]);
      if (drawn === token) drawn = null;
    },
    take: async (token) => {
      if (!tokens.includes(token)) await write([...tokens, token].slice(-takenMax));
    },
  };
}
