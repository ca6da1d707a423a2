import { readFile } from "node:fs/promises";
import { writeAtomically } from "../../platform/processes/write-atomically.ts";
import { sandboxTokensPath } from "../../sandbox/sandbox-file.ts";

/*
 * Commands of one sandbox share an access token, because logins are limited to a few per minute and address: ten payments in a
 * row would use up the limit of the programs beside them.
 */

type Tokens = Readonly<Record<string, string>>;

/** The stored token of a login; null without one. It may have expired. */
export async function readStoredToken(home: string, login: string): Promise<string | null> {
  return (await readTokens(home))[login] ?? null;
}

/** Stores an access token in the sandbox's folder (mode 0600) for the next command. */
export async function storeToken(home: string, login: string, token: string): Promise<void> {
  const tokens = { ...(await readTokens(home)), [login]: token };
  await writeAtomically(sandboxTokensPath(home), JSON.stringify(tokens));
}

/** Empty when the file is missing or has another format. */
async function readTokens(home: string): Promise<Tokens> {
  try {
    const kept = JSON.parse(await readFile(sandboxTokensPath(home), "utf8")) as unknown;
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(
      Object.entries(kept).filter(
        (entry): entry is [string, string] => typeof entry[1] === "string",
      ),
    );
  } catch {
    return {};
  }
}
