import type { TonNetworkKind } from "../../currencies/ton-address.ts";
import { microsPerSecond } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { WatchedAccounts } from "./block-activity.ts";
import { isDeliveredBy } from "./delivery-search.ts";
import { walkBack } from "./history.ts";
import { readBody, returnedQueryId } from "./message-body.ts";
import { orderedMessages } from "./orders.ts";
import { type AccountState, accountState, blockAt, getMethod } from "./questions.ts";
import type { AskToncenter } from "./toncenter-node.ts";
import type { ExecutedTransaction, InternalMessage } from "./transaction.ts";

/** Each account's balance of coin right after the block at that height. */
export async function readCoinBalances(
  ask: AskToncenter,
  accounts: readonly string[],
  height: number,
): Promise<readonly bigint[]> {
  return await Promise.all(
    accounts.map(async (account) => (await ask(accountState(account, height))).balance),
  );
}

/** Messages between an account and its wallet of a jetton take seconds; older ones have arrived. */
const windowSeconds = 600;

/**
 * What each account holds of a jetton right after the block at that height, as the account's own transactions up to there show it. A jetton
 * is in a wallet of its own, a block or two away: what arrived there counts once the account was notified, and what the account sent no longer
 * counts, whether or not the wallet has sent it yet.
 */
export async function readJettonBalances(
  ask: AskToncenter,
  watched: WatchedAccounts,
  jetton: CurrencyId,
  accounts: readonly string[],
  height: number,
): Promise<readonly bigint[]> {
  const balances: bigint[] = [];
  for (const account of accounts) {
    const wallet = await watched.wallets.walletOf(ask, account, jetton);
    const state = await ask(accountState(wallet, height));
    const held = state.kind === "active" ? await heldIn(ask, wallet, height) : 0n;
    const owner = await ask(accountState(account, height));
    balances.push(held + (await onTheWay(ask, watched, { account, owner, wallet, state, height })));
  }
  return balances;
}

/** What a wallet of a jetton says that it holds after the block at that height, or now. */
export async function heldIn(
  ask: AskToncenter,
  wallet: string,
  height: number | null,
): Promise<bigint> {
  const data = await ask(getMethod(wallet, "get_wallet_data", [], height));
  const balance = data?.[0];
  return typeof balance === "bigint" ? balance : 0n;
}

type Pair = {
  readonly account: string;
  readonly owner: AccountState;
  readonly wallet: string;
  readonly state: AccountState;
  readonly height: number;
};

/** What the account's books say more than its wallet holds, or, if negative, less. */
async function onTheWay(
  ask: AskToncenter,
  { network, outcomes }: WatchedAccounts,
  { account, owner, wallet, state, height }: Pair,
): Promise<bigint> {
  const { header } = await ask(blockAt(height));
  const since = Math.floor(header.time / microsPerSecond) - windowSeconds;
  const [{ isWhole, transactions: ofAccount }, { transactions: ofWallet }] = await Promise.all([
    recent(ask, network, account, owner, since),
    recent(ask, network, wallet, state, since),
  ]);
  const processed = (of: readonly ExecutedTransaction[], hash: string) =>
    of.find(({ input }) => input?.kind === "internal" && input.message.hash === hash);
  const returned = new Set(
    ofWallet.flatMap(({ input }) =>
      input?.kind === "internal" ? (returnedQueryId(input.message.body) ?? []) : [],
    ),
  );
  let more = 0n;
  // An account that was deleted, whether or not it exists again, has lost its history, the notification with it.
  const isTold = async (message: InternalMessage) =>
    processed(ofAccount, message.hash) !== undefined ||
    (isWhole && (await isDeliveredBy(ask, network, message, height)));
  for (const message of ofWallet.flatMap(({ sent }) => sent)) {
    const told = readBody(message.body, network);
    if (told.kind === "jettonArrived" && message.to === account && !(await isTold(message)))
      more -= told.units;
  }
  for (const transaction of ofAccount) {
    for (const message of orderedMessages(transaction, network) ?? []) {
      if (message?.to !== wallet) continue;
      const order = readBody(message.body, network);
      if (order.kind !== "jettonTransfer") continue;
      const passed = processed(ofWallet, message.hash)
        ?.sent.map(({ body }) => readBody(body, network))
        .find(({ kind }) => kind === "jettonMoves");
      const hasArrived = (await outcomes.of(ask, message)) === "arrived";
      if (hasArrived && passed === undefined) more -= order.units;
      if (!hasArrived && passed?.kind === "jettonMoves" && !returned.has(passed.queryId))
        more += order.units;
    }
  }
  return more;
}

/** An account's transactions up to a state, newest first, as far as they are recent, and whether it had none before them. */
async function recent(
  ask: AskToncenter,
  network: TonNetworkKind,
  account: string,
  { last }: AccountState,
  since: number,
): Promise<{ readonly transactions: readonly ExecutedTransaction[]; readonly isWhole: boolean }> {
  const transactions: ExecutedTransaction[] = [];
  for await (const transaction of walkBack(ask, network, account, last, 0n)) {
    if (transaction.time < since) return { transactions, isWhole: false };
    transactions.push(transaction);
  }
  return { transactions, isWhole: true };
}
