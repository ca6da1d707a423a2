import type { CurrencyId } from "../../platform/kernel/money.ts";
import { money } from "../../platform/kernel/money.ts";
import type { Transfer } from "../port.ts";
import type { EvmLog, EvmReceipt } from "./answer.ts";
import { logIndex } from "./transfer-index.ts";

/** keccak256("Transfer(address,address,uint256)"), the same for ERC-20 and ERC-721. */
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** The address that logs ether's own moves under EIP-7708; not a token. */
const systemLogger = "0xfffffffffffffffffffffffffffffffffffffffe";

const addressTopic = /^0x0{24}([0-9a-f]{40})$/;

/** How to read contracts' logs. */
export type TokenBook = {
  /** The deployment's tokens by contract, lower case: the contract identifies a token; its symbol proves nothing. */
  readonly listed: ReadonlyMap<string, CurrencyId>;
  /** Contracts whose logs repeat the transactions' own value. */
  readonly ignored: ReadonlySet<string>;
};

/**
 * ERC-20 transfers of a successful transaction, with the amount that arrived according to the log; a fee on transfer makes it
 * less than what was sent. Left out are ERC-721 (a third indexed argument), logs of another shape, transfers of zero (address
 * poisoning) and transfers to oneself.
 */
export function tokenTransfers(receipt: EvmReceipt, book: TokenBook): readonly Transfer[] {
  return receipt.logs.flatMap((log) => {
    const moved = readTransferLog(log);
    if (moved === null || log.contract === systemLogger || book.ignored.has(log.contract))
      return [];
    const currency = book.listed.get(log.contract);
    return [
      {
        key: { txid: receipt.txid, index: logIndex(log.place) },
        to: moved.to,
        asset:
          currency === undefined
            ? { kind: "unlisted" as const, locator: log.contract, units: moved.units }
            : { kind: "currency" as const, amount: money(moved.units, currency) },
        spendableFromHeight: null,
      },
    ];
  });
}

/** A log's token move: sender, receiver and amount; null for any other log and for one without effect. */
export function readTransferLog(
  log: EvmLog,
): { readonly from: string; readonly to: string; readonly units: bigint } | null {
  const [topic, fromTopic, toTopic, ...others] = log.topics;
  if (log.isRemoved || topic !== transferTopic || others.length > 0) return null;
  if (fromTopic === undefined || toTopic === undefined || log.data.length !== 66) return null;
  const to = addressTopic.exec(toTopic)?.[1];
  const from = addressTopic.exec(fromTopic)?.[1];
  const units = BigInt(log.data);
  if (to === undefined || from === undefined || from === to || units === 0n) return null;
  return { from: `0x${from}`, to: `0x${to}`, units };
}
