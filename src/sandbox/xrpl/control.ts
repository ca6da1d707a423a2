import type { JsonObject } from "../../platform/kernel/json.ts";
import type { Node } from "./node.ts";
import type { Settings } from "./settings.ts";

/** A command with a wrong member. */
export class WrongCommand extends Error {
  override readonly name = "WrongCommand";
}

/** What the sandbox and tests do with the ledger outside the node's protocol. Rejects with `WrongCommand`. */
export type Control = (command: string, body: JsonObject) => Promise<JsonObject | null>;

const ledgersMax = 2_000;
const dropsMax = 1_000_000_000;

/** The commands of the control endpoint by path; null for an unknown one. */
export function createControl({ ledger, lose }: Node): Control {
  return async (command, body) => {
    switch (command) {
      case "/mine":
        await ledger.close(integerIn({ blocks: 1, ...body }, "blocks", 1, ledgersMax));
        break;
      case "/drop-open":
        await ledger.drop();
        break;
      case "/set-fees":
        await ledger.change(readSettings(body));
        break;
      case "/swallow-broadcasts":
        ledger.swallow(integerIn(body, "count", 0, Number.MAX_SAFE_INTEGER));
        break;
      case "/lose-history": {
        const newest = ledger.newest().index;
        lose({ from: integerIn(body, "from", 1, newest), to: integerIn(body, "to", 1, newest) });
        break;
      }
      default:
        return null;
    }
    const { hash, index } = ledger.newest();
    return { ledger_index: index, ledger_hash: hash };
  };
}

const settable = {
  base_fee: "baseFee",
  open_ledger_fee: "openLedgerFee",
  reserve_base: "reserveBase",
  reserve_inc: "reserveIncrement",
} as const satisfies Readonly<Record<string, keyof Settings>>;

function readSettings(body: JsonObject): Partial<Settings> {
  const given = Object.entries(settable).filter(([name]) => body[name] !== undefined);
  return Object.fromEntries(
    given.map(([name, setting]) => [setting, BigInt(integerIn(body, name, 1, dropsMax))]),
  );
}

function integerIn(body: JsonObject, name: string, least: number, most: number): number {
  const value = body[name];
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most)
    throw new WrongCommand(`${name} is an integer from ${least} to ${most}`);
  return value;
}
