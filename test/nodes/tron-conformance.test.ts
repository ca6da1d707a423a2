import { present } from "../../src/platform/kernel/assert.ts";
import { secondsBetween } from "../../src/platform/kernel/clock.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import artifacts from "../../src/sandbox/contracts/artifacts.gen.json" with { type: "json" };
import { describeConformance } from "../support/describe-conformance.ts";
import { type HttpGateway, startHttpGateway } from "../support/http-gateway.ts";
import { type PrivateTron, startPrivateTron } from "../support/private-tron.ts";
import {
  coin,
  fund,
  openTronAccounts,
  sunPerTrx,
  type TronAccounts,
} from "../support/tron-accounts.ts";
import { type ConnectedTron, connectTron } from "../support/tron-adapter.ts";

/*
 * Runs the conformance suite of the chain port against the simulated java-tron, with TRX. Blocks become solid 19 blocks later;
 * external payments are built, signed and sent by tronweb, and a contract makes two payments in one transaction.
 */

let ledger: PrivateTron;
let gateway: HttpGateway;
let own: TronAccounts;
let clients: readonly ConnectedTron[] = [];

/** Blocks above the solid one. */
const depth = 19;

describeConformance("the TRON adapter", {
  declares: {
    finality: "final",
    pending: "newerBlocks",
    claims: "none",
    validity: "time",
    deposits: "derived",
    includesFailed: true,
    paysSeveral: true,
    pays: true,
  },
  start: async () => {
    ledger = await startPrivateTron();
    gateway = await startHttpGateway(ledger.tron.url);
    own = openTronAccounts(ledger);
    const ours = connectTron(ledger, [gateway.url]);
    const genesisId = `${"0".repeat(16)}${"ab".repeat(24)}`;
    const elsewhere = connectTron(ledger, [gateway.url], {
      network: { genesisId },
      verifies: false,
    });
    clients = [ours, elsewhere];
    await fund(ledger, own.hot, { sun: 100_000n * sunPerTrx });
    const wallet = await deployWallet(ledger);
    await ledger.mine(depth + 1);
    const call = async (selector: string, to: readonly string[], units: readonly bigint[]) => {
      const callValue = Number(units.reduce((sum, each) => sum + each, 0n));
      const parameters = [
        { type: "address[]", value: to },
        { type: "uint256[]", value: units.map(String) },
      ];
      const built = await ledger.callOf(wallet, selector, parameters, { callValue });
      return included(await ledger.send(built));
    };
    return {
      adapter: ours.adapter,
      currency: coin,
      units: 200_000n,
      unpayable: [
        "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb",
        "TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy",
        "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u",
        "0x9b3281a60ab7a44f351ef2896c653f134972ad22",
        "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
        ledger.usdt,
      ],
      fund: async ({ address }, units) =>
        included(
          await ledger.send(
            await ledger.web.transactionBuilder.sendTrx(address, Number(units), ledger.faucet),
          ),
        ),
      mine: (blocks) => ledger.mine(depth + blocks),
      reorg: async (blocks) => {
        await ledger.control("/reorg", { depth: blocks });
        await ledger.mine(blocks);
      },
      fundTwice: ({ address }, first, second) =>
        call("payAll(address[],uint256[])", [address, address], [first, second]),
      fundFailing: ({ address }, units) =>
        call("payAllAndFail(address[],uint256[])", [address], [units]),
      replace: null,
      cutOff: () => {
        gateway.isCutOff = true;
        return Promise.resolve(() => {
          gateway.isCutOff = false;
          return Promise.resolve();
        });
      },
      misconfigured: elsewhere.adapter.reader,
      payer: {
        funds: () => Promise.resolve({ kind: "account", address: own.hot, sequence: null }),
        sign: (draft, payments) => own.signPayout(draft, present(payments[0], "a payment")),
        burnt: async (txid) => {
          const { fee = 0 } = await ledger.ask<{ readonly fee?: number }>(
            "/wallet/gettransactioninfobyid",
            { value: txid },
          );
          return BigInt(fee);
        },
      },
      outlive: async ({ validity }) => {
        if (validity?.kind !== "time") throw new Error("the draft has no time");
        const seconds = Math.ceil(secondsBetween(systemClock.now(), validity.until));
        await ledger.control("/mine", { blocks: depth + 1, seconds: Math.max(0, seconds) });
      },
    };
  },
  stop: async () => {
    for (const { close } of clients) await close();
    await own.close();
    await gateway.close();
    await ledger.stop();
  },
});

/** Includes the transaction in a block above the solid one. */
async function included(txid: string): Promise<string> {
  await ledger.mine();
  return txid;
}

/** A contract that pays several receivers in one call. */
async function deployWallet({ web, faucet, send, mine }: PrivateTron): Promise<string> {
  const { abi, bytecode } = artifacts.PayingWallet;
  const deployment = await web.transactionBuilder.createSmartContract(
    { abi: JSON.stringify(abi), bytecode, feeLimit: 1_000_000_000, name: "PayingWallet" },
    faucet,
  );
  await send(deployment);
  await mine();
  return deployment.contract_address;
}
