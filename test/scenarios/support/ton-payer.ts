import {
  Address,
  beginCell,
  type Cell,
  comment,
  internal,
  type MessageRelaxed,
  SendMode,
  type Transaction,
  toNano,
} from "@ton/core";
import { keyPairFromSecretKey } from "@ton/crypto";
import { JettonMaster, JettonWallet, TonClient, WalletContractV4 } from "@ton/ton";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { TonSite } from "../../../src/sandbox/sandbox-file.ts";
import type { TestSite } from "./test-site.ts";

/** Pays with @ton/ton, unmodified, from the wallet that sandbox.json names or from wallets of its own. */
export type TonPayer = {
  readonly client: TonClient;
  readonly faucet: Address;
  /** Sends messages in one order of the faucet, and makes blocks until everything that follows is in one. */
  readonly send: (messages: readonly MessageRelaxed[]) => Promise<void>;
  /** Sends coin, with a comment. */
  readonly pay: (to: string | Address, amount: string, text?: string) => Promise<void>;
  /** A message that asks the faucet's wallet of a jetton, by default the test dollar's, to send. */
  readonly dollars: (
    to: string | Address,
    units: bigint,
    more?: { readonly payload?: Cell; readonly forward?: string; readonly master?: Address },
  ) => Promise<MessageRelaxed>;
  /** Sends test dollars, with a comment. */
  readonly payDollars: (to: string | Address, units: bigint, text?: string) => Promise<void>;
  /** Makes blocks until everything that was sent is in one, and the service has read them. */
  readonly settle: () => Promise<void>;
  readonly balance: (address: string | Address) => Promise<bigint>;
  readonly dollarsOf: (owner: string | Address) => Promise<bigint>;
  /** The newest transaction of an account. */
  readonly newest: (address: string | Address) => Promise<Transaction>;
};

const transferOperation = 0x0f8a7ea5;
/** A transfer of a jetton takes five transactions in a row. */
const settlingBlocks = 6;

export function openTonPayer(chain: TonSite, site: TestSite): TonPayer {
  const client = new TonClient({ endpoint: chain.rpc_url });
  const { publicKey, secretKey } = keyPairFromSecretKey(
    Buffer.from(chain.faucet_secret_key, "hex"),
  );
  const faucet = WalletContractV4.create({ workchain: 0, publicKey });
  const dollar = Address.parse(present(chain.tokens["USDT-TON"], "the test dollar"));
  const accountOf = (to: string | Address): Address =>
    typeof to === "string" ? Address.parse(to) : to;
  const walletOf = (owner: Address, master = dollar): Promise<Address> =>
    client.open(JettonMaster.create(master)).getWalletAddress(owner);
  const settle = (): Promise<void> =>
    site.onChain("TON", async (control) => {
      await control.mine(settlingBlocks);
    });
  const send: TonPayer["send"] = async (messages) => {
    const opened = client.open(faucet);
    await opened.sendTransfer({
      seqno: await opened.getSeqno(),
      secretKey,
      messages: [...messages],
      sendMode: SendMode.PAY_GAS_SEPARATELY,
    });
    await settle();
  };
  const pay: TonPayer["pay"] = (to, amount, text) =>
    send([
      internal({
        to: accountOf(to),
        value: amount,
        bounce: false,
        ...(text === undefined ? {} : { body: text }),
      }),
    ]);
  const dollars: TonPayer["dollars"] = async (to, units, more = {}) => {
    const { forward = "0.01", master, payload } = more;
    const body = beginCell()
      .storeUint(transferOperation, 32)
      .storeUint(0, 64)
      .storeCoins(units)
      .storeAddress(accountOf(to))
      .storeAddress(faucet.address)
      .storeBit(false)
      .storeCoins(toNano(forward))
      .storeMaybeRef(payload ?? null)
      .endCell();
    const wallet = await walletOf(faucet.address, master);
    return internal({ to: wallet, value: toNano("0.1"), bounce: true, body });
  };
  return {
    client,
    faucet: faucet.address,
    send,
    pay,
    dollars,
    settle,
    payDollars: async (to, units, text) => {
      const payload = text === undefined ? {} : { payload: comment(text) };
      await send([await dollars(to, units, payload)]);
    },
    balance: (address) => client.getBalance(accountOf(address)),
    dollarsOf: async (owner) =>
      client.open(JettonWallet.create(await walletOf(accountOf(owner)))).getBalance(),
    newest: async (address) => {
      const [newest] = await client.getTransactions(accountOf(address), { limit: 1 });
      return present(newest, "a transaction");
    },
  };
}
