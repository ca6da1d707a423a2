import type { JsonObject } from "../../platform/kernel/json.ts";
import type { Ledger } from "./ledger.ts";

/** A command with a wrong member. */
export class WrongCommand extends Error {
  override readonly name = "WrongCommand";
}

const blocksMax = 2_000;
const secondsMax = 30 * 86_400;
const percentMax = 10_000;

/**
 * What the sandbox and tests do with the ledger, outside toncenter's protocol: the commands of the control endpoint by path; null for an
 * unknown one. There is no reorg: a masterchain block is final.
 */
export async function runCommand(
  ledger: Ledger,
  command: string,
  body: JsonObject,
): Promise<JsonObject | null> {
  switch (command) {
    case "/mine":
      ledger.skip(integerIn({ seconds: 0, ...body }, "seconds", 0, secondsMax));
      await ledger.mine(integerIn({ blocks: 1, ...body }, "blocks", 1, blocksMax));
      break;
    case "/set-prices":
      await ledger.setPrices({
        gas: integerIn({ gas: 100, ...body }, "gas", 1, percentMax),
        forwarding: integerIn({ forwarding: 100, ...body }, "forwarding", 1, percentMax),
      });
      break;
    case "/drop-waiting":
      ledger.dropWaiting();
      break;
    case "/swallow-broadcasts":
      ledger.swallow(integerIn(body, "count", 0, Number.MAX_SAFE_INTEGER));
      break;
    default:
      return null;
  }
  const { id, now } = ledger.newest();
  return { seqno: id.seqno, root_hash: id.rootHash.toString("base64"), now };
}

function integerIn(body: JsonObject, name: string, least: number, most: number): number {
  const value = body[name];
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most)
    throw new WrongCommand(`${name} is an integer from ${least} to ${most}`);
  return value;
}
