import { readFile } from "node:fs/promises";
import { writeAtomically } from "../../platform/processes/write-atomically.ts";
import { sandboxTokensPath } from "../../sandbox/sandbox-file.ts";

/*
 * Commands of one sandbox go on with the access token that an earlier one got: log-ins are counted by address, few a minute, and
 * whoever pays ten deposits in a row would use up those of the programs beside him.
 */

type Tokens = Readonly<Record<string, string>>;

/** The token kept for a login; null without one. Whether it still opens anything is for the API to say. */
export async function readKeptToken(home: string, login: string): Promise<string | null> {
  return (await readTokens(home))[login] ?? null;
}

/** Keeps an access token in the sandbox's folder (mode 0600), for the next command. */
export async function keepToken(home: string, login: string, token: string): Promise<void> {
  const tokens = { ...(await readTokens(home)), [login]: token };
  await writeAtomically(sandboxTokensPath(home), JSON.stringify(tokens));
}

/** None where the file is missing, or is not ours. */
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
