import type { ListedTokens } from "../../currencies/currency.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { money } from "../../platform/kernel/money.ts";
import type { Transfer } from "../port.ts";
import { fromCoreHex } from "./address.ts";
import type { TronLog, TronReceipt, TronTransaction } from "./answer.ts";

/** A transaction of a block with its outcome. */
export type ExecutedTransaction = {
  readonly transaction: TronTransaction;
  readonly receipt: TronReceipt;
};

/** Coin or tokens that a transaction actually moved, from one account to another. */
export type Move = {
  readonly txid: string;
  /**
   * Its place in the transaction, whichever block includes it. 0: the coin that the transaction itself sends. Odd, 2i + 1: the
   * log at position i, from 0. Even, 2(i + 1): the internal transaction at position i, from 0.
   */
  readonly index: number;
  /** The token's contract; null for coin. */
  readonly contract: string | null;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
};

/** Whether both the block and the receipt report success. */
export function hasSucceeded({ transaction, receipt }: ExecutedTransaction): boolean {
  return transaction.result === "SUCCESS" && !receipt.hasFailed;
}

/**
 * Everything that the transaction moved: its own coin, coin that contracts moved, and tokens by their `Transfer` logs. Nothing if
 * it failed. Left out are TRC-10, moves of 0 (address poisoning) and moves to oneself.
 */
export function movesOf(executed: ExecutedTransaction): readonly Move[] {
  if (!hasSucceeded(executed)) return [];
  const { transaction, receipt } = executed;
  const { txid } = transaction;
  return [
    ...ownMove(transaction),
    ...receipt.internal.flatMap((move, position) =>
      move === null ? [] : [{ txid, index: 2 * (position + 1), contract: null, ...move }],
    ),
    ...receipt.logs.flatMap((log, position) => {
      const moved = readTransferLog(log);
      return moved === null
        ? []
        : [{ txid, index: 2 * position + 1, contract: log.contract, ...moved }];
    }),
  ];
}

function ownMove({ txid, owner, to, units }: TronTransaction): readonly Move[] {
  if (owner === null || to === null || owner === to || units === 0n) return [];
  return [{ txid, index: 0, contract: null, from: owner, to, units }];
}

/** keccak256("Transfer(address,address,uint256)"), the same for TRC-20 and TRC-721. */
const transferTopic = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const addressTopic = /^0{24}([0-9a-f]{40})$/;

/**
 * The move that a TRC-20 `Transfer` log reports; null for any other log (TRC-721 indexes a third argument), for a move of 0 and for
 * one to oneself.
 */
function readTransferLog({ topics, data }: TronLog): Pick<Move, "from" | "to" | "units"> | null {
  const [topic, fromTopic, toTopic, ...others] = topics;
  if (topic !== transferTopic || fromTopic === undefined || toTopic === undefined) return null;
  if (others.length > 0 || data.length !== 64) return null;
  const from = addressTopic.exec(fromTopic)?.[1];
  const to = addressTopic.exec(toTopic)?.[1];
  const units = BigInt(`0x${data}`);
  if (from === undefined || to === undefined || from === to || units === 0n) return null;
  return { from: fromCoreHex(from), to: fromCoreHex(to), units };
}

/** The move as the port's transfer. */
export function toTransfer(
  { txid, index, contract, to, units }: Move,
  coin: CurrencyId,
  listed: ListedTokens,
): Transfer {
  return { key: { txid, index }, to, asset: assetOf(), spendableFromHeight: null };

  function assetOf(): Transfer["asset"] {
    if (contract === null) return { kind: "currency", amount: money(units, coin) };
    const currency = listed.get(contract);
    return currency === undefined
      ? { kind: "unlisted", locator: contract, units }
      : { kind: "currency", amount: money(units, currency) };
  }
}
