import type { JsonObject } from "../../platform/kernel/json.ts";
import { digestText } from "./address.ts";
import type { Node } from "./node.ts";
import { rules } from "./rules.ts";

/** A command with a wrong member. */
export class WrongCommand extends Error {
  override readonly name = "WrongCommand";
}

/** What the sandbox and tests do with the ledger outside the node's protocol. Rejects with `WrongCommand`. */
export type Control = (command: string, body: JsonObject) => Promise<JsonObject | null>;

const blocksMax = 2_000;
const feeMax = 1_000_000;
const secondsMax = 86_400;

/** The commands of the control endpoint by path; null for an unknown one. */
export function createControl({ catchUp, ledger }: Node): Control {
  return async (command, body) => {
    switch (command) {
      case "/mine":
        await ledger.close(
          integerIn({ blocks: 1, ...body }, "blocks", 1, blocksMax),
          integerIn({ seconds: 0, ...body }, "seconds", 0, rules.blockSecondsMax),
        );
        break;
      case "/set-fees":
        ledger.setFeePerByte(BigInt(integerIn(body, "per_byte", 0, feeMax)));
        break;
      case "/evict":
        await ledger.evict();
        break;
      case "/swallow-broadcasts":
        ledger.swallow(integerIn(body, "count", 0, Number.MAX_SAFE_INTEGER));
        break;
      case "/forget":
        ledger.forget(BigInt(integerIn(body, "before", 0, Number(ledger.newest().round))));
        break;
      case "/catch-up":
        catchUp(integerIn(body, "seconds", 0, secondsMax));
        break;
      default:
        return null;
    }
    const { hash, round } = ledger.newest();
    return { round: Number(round), hash: digestText(hash) };
  };
}

function integerIn(body: JsonObject, name: string, least: number, most: number): number {
  const value = body[name];
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most)
    throw new WrongCommand(`${name} is an integer from ${least} to ${most}`);
  return value;
}
