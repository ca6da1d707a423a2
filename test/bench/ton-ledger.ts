import { Address, internal, SendMode, toNano } from "@ton/core";
import { keyPairFromSecretKey, keyPairFromSeed } from "@ton/crypto";
import { TonClient, WalletContractV4, WalletContractV5R1 } from "@ton/ton";
import { present } from "../../src/platform/kernel/assert.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { faucetSecretKey } from "../../src/sandbox/ton/genesis.ts";
import { globalId } from "../../src/sandbox/ton/network.ts";
import { queryTon } from "../support/query-ton.ts";
import { tonSiteAt } from "../support/ton-site.ts";
import type { TaggedLedger } from "./tagged-ledgers.ts";

/** A wallet v5 sends up to 255 messages in one order. */
const perOrder = 250;
/** The ledger's blocks have room for 150 transactions. */
const blocksPerOrder = 2;
const sendMode = SendMode.PAY_GAS_SEPARATELY;

/** TON, where deposits differ in their comments. */
export const tonLedger: TaggedLedger = {
  chain: "TON",
  currency: "1140" as CurrencyId,
  program: "ton-process.ts",
  ledgerMs: 3_000,
  siteAt: tonSiteAt,
  config: { global_id: globalId },
  newAccount: () =>
    new Address(0, Buffer.from(systemRandom.bytes(32))).toString({ bounceable: false }),
  addressType: "",
  coin: toNano("1"),
  payAll,
  balanceOf: async (url, { address }) => {
    const state = await queryTon<{ readonly balance: string }>(
      { rpc_url: rpcUrlOf(url) },
      "getAddressInformation",
      { address },
    );
    return BigInt(present(state, "an account").balance);
  },
};

function rpcUrlOf(url: string): string {
  return tonSiteAt(Number(new URL(url).port)).rpc_url;
}

async function payAll(
  url: string,
  payable: Parameters<TaggedLedger["payAll"]>[1],
  mine: () => Promise<void>,
): Promise<void> {
  const mined = async (blocks: number): Promise<void> => {
    for (let block = 0; block < blocks; block += 1) await mine();
  };
  const client = new TonClient({ endpoint: rpcUrlOf(url) });
  const faucetKeys = keyPairFromSecretKey(Buffer.from(faucetSecretKey, "hex"));
  const faucet = client.open(
    WalletContractV4.create({ workchain: 0, publicKey: faucetKeys.publicKey }),
  );
  const { publicKey, secretKey } = keyPairFromSeed(Buffer.from(systemRandom.bytes(32)));
  const payer = client.open(WalletContractV5R1.create({ workchain: 0, publicKey }));
  await faucet.sendTransfer({
    seqno: await faucet.getSeqno(),
    secretKey: faucetKeys.secretKey,
    sendMode,
    messages: [internal({ to: payer.address, value: toNano("30000"), bounce: false })],
  });
  await mined(4);
  for (let from = 0, seqno = 0; from < payable.length; from += perOrder, seqno += 1) {
    const messages = payable
      .slice(from, from + perOrder)
      .map(({ address, tag }) =>
        internal({ to: Address.parse(address), value: toNano("1"), bounce: false, body: tag }),
      );
    await payer.sendTransfer({ seqno, secretKey, sendMode, messages });
    await mined(blocksPerOrder);
  }
  await mined(2 * blocksPerOrder);
}
