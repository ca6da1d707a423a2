import { createHash } from "node:crypto";
import { errorMessage } from "../../../platform/kernel/error-message.ts";
import { Unavailable } from "../../../platform/kernel/unavailable.ts";
import type { UnclaimedCoin } from "../../paying-port.ts";
import { Malformed } from "../../rpc/answer.ts";
import { decodeReply } from "../../rpc/decode-reply.ts";
import type { HttpNodes } from "../../rpc/http-nodes.ts";
import { NodeError, NodeFault, RpcError } from "../../rpc/node-error.ts";
import type { WalletQuestion } from "./wallet-questions.ts";
import { accountAddress, createAccount, openAccount, refresh } from "./wallet-questions.ts";

/** The signer's wallet refused an output that the view-only wallet shows, and with it all others. */
export class OutputsRefused extends Unavailable {
  /** The coins that both were shown. The output may be one of strangers that the view-only wallet has found by itself. */
  readonly coins: readonly UnclaimedCoin[];

  constructor(coins: readonly UnclaimedCoin[]) {
    super("signer", "its wallet cannot spend an output that the view-only wallet has found");
    this.coins = coins;
  }
}

/** The account that the wallet watches. Keys are 32 bytes in hexadecimal. */
export type WatchedAccount = {
  readonly address: string;
  readonly viewKey: string;
};

/** Asks the wallet one thing; rejects with `RpcError` for an error of the wallet. */
export type AskWallet = <Answer>(question: WalletQuestion<Answer>) => Promise<Answer>;

/** The deployment's view-only wallet: a monero-wallet-rpc beside the worker, connected to a daemon. */
export type ViewWallet = {
  /**
   * Lets `work` use the wallet, which has the account open and has read the chain; one after the other, since the wallet program has one state.
   * If `work` throws `OutputsRefused`, an empty wallet takes the place of this one, and `work` is run once more. Rejects with `Unavailable`
   * if the wallet does not answer.
   */
  readonly use: <Answer>(
    work: (ask: AskWallet) => Promise<Answer>,
    signal: AbortSignal,
  ) => Promise<Answer>;
};

/**
 * Creates the client. The wallet's file is created when it does not exist, and holds nothing that is not on the chain: a new one reads from
 * the tip on, and is shown older coins when they are spent. One that takes the place of another reads nothing, and is shown all of them.
 */
export function createViewWallet(
  chain: string,
  nodes: HttpNodes,
  account: WatchedAccount,
  tipHeight: (signal: AbortSignal) => Promise<number>,
): ViewWallet {
  let last: Promise<unknown> = Promise.resolve();

  const run = async <Answer>(
    work: (ask: AskWallet) => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> => {
    const ask: AskWallet = (question) => askWallet(nodes, question, signal);
    try {
      await ensureOpen(ask, account, () => tipHeight(signal));
      await ask(refresh);
      return await work(ask).catch(async (error: unknown) => {
        if (!(error instanceof OutputsRefused)) throw error;
        await startOver(ask, account);
        await ask(refresh);
        return await work(ask);
      });
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      throw new Unavailable(chain, `the view-only wallet: ${error.message}`, error);
    }
  };

  return {
    use: (work, signal) => {
      const next = last.then(() => run(work, signal));
      last = next.catch(() => undefined);
      return next;
    },
  };
}

/** Another program may have opened another wallet, or closed this one. */
async function ensureOpen(
  ask: AskWallet,
  account: WatchedAccount,
  tipHeight: () => Promise<number>,
): Promise<void> {
  const { address } = account;
  if ((await errorAsNull(ask(accountAddress))) === address) return;
  if (!(await openNewest(ask, account))) await create(ask, account, 0, await tipHeight());
  const opened = await ask(accountAddress);
  if (opened !== address) throw new NodeError(`it has the account ${opened} instead of ${address}`);
}

/** Opens the last wallet that took the place of another one, or the first if none did; false if there is none. */
async function openNewest(ask: AskWallet, account: WatchedAccount): Promise<boolean> {
  for (let place = 0; ; place += 1) {
    const { name, password } = fileOf(account, place);
    if ((await errorAsNull(ask(openAccount(name, password)))) === null) return place > 0;
  }
}

/** Above every block (CRYPTONOTE_MAX_BLOCK_NUMBER in src/cryptonote_config.h). */
const neverHeight = 500_000_000;

/**
 * Creates an empty wallet beside the others and leaves it open. It reads no block, so nothing gets into it but what it is shown: whatever
 * strangers pay, they cannot have it replaced again.
 */
async function startOver(ask: AskWallet, account: WatchedAccount): Promise<void> {
  for (let place = 1; ; place += 1) {
    try {
      await create(ask, account, place, neverHeight);
      return;
    } catch (error) {
      if (!(error instanceof RpcError) || !/already exists/i.test(error.message)) throw error;
    }
  }
}

async function create(
  ask: AskWallet,
  account: WatchedAccount,
  place: number,
  height: number,
): Promise<void> {
  await ask(createAccount({ ...account, ...fileOf(account, place), height }));
}

/** The file contains the view key, and nothing that the view key does not give. */
function fileOf(
  { address, viewKey }: WatchedAccount,
  place: number,
): { readonly name: string; readonly password: string } {
  const name = `sluice-${address.slice(0, 16)}${place === 0 ? "" : `-${place}`}`;
  const password = createHash("sha256").update(`sluice view-only wallet ${viewKey}`).digest("hex");
  return { name, password };
}

async function errorAsNull<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw error;
  }
}

const callId = 0;

/** Asks once. Rejects with `RpcError` for an error of the wallet. */
export async function askWallet<Answer>(
  nodes: HttpNodes,
  { method, params, read }: WalletQuestion<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  const body = `{"jsonrpc":"2.0","id":${callId},"method":"${method}","params":${params}}`;
  return nodes.run(
    async ({ send }) => {
      const { document } = await send({ method: "POST", path: "/json_rpc", body });
      const answer = decodeReply(document, callId);
      if ("error" in answer) {
        const { code, message } = answer.error;
        throw new RpcError(code, `${method}: ${message}`);
      }
      try {
        return read(answer.result);
      } catch (fault) {
        if (!(fault instanceof Malformed)) throw fault;
        throw new NodeFault("garbage", `${method}: answered ${errorMessage(fault)}`, fault);
      }
    },
    signal,
    // Most of these change the wallet's state.
    { attempts: 1 },
  );
}
