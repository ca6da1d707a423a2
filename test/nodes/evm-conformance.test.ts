import { present } from "../../src/platform/kernel/assert.ts";
import { describeConformance } from "../support/describe-conformance.ts";
import { fundHotAccount, openHotAccount } from "../support/evm-hot-account.ts";
import {
  type AdapterUnderTest,
  connectEvm,
  eth,
  type PrivateEvm,
  signal,
  startPrivateEvm,
} from "../support/private-evm.ts";
import { type RpcGateway, startGateway } from "../support/rpc-gateway.ts";

/*
 * Runs the conformance suite of the chain port against a real EVM node (Anvil), with ether; a contract makes two payments in one
 * transaction.
 */

let evm: PrivateEvm;
let gateway: RpcGateway;
let clients: readonly AdapterUnderTest[] = [];

describeConformance("the EVM adapter", {
  declares: {
    finality: "probable",
    pending: "pool",
    claims: "sequences",
    validity: "none",
    deposits: "derived",
    includesFailed: true,
    paysSeveral: true,
    pays: true,
  },
  start: async () => {
    evm = await startPrivateEvm();
    gateway = await startGateway(evm.anvil.url);
    const wallet = await evm.deploy("PayingWallet");
    const { currencies } = evm;
    const ours = connectEvm({ url: gateway.url, currencies });
    const elsewhere = connectEvm({
      url: gateway.url,
      currencies,
      chainId: 1,
      verifies: false,
    });
    clients = [ours, elsewhere];
    const hot = openHotAccount(evm, ours.adapter, currencies);
    await fundHotAccount(evm, hot.address);
    return {
      adapter: ours.adapter,
      currency: eth,
      units: 10n ** 12n,
      unpayable: [
        "0x0000000000000000000000000000000000000000",
        "0x0000000000000000000000000000000000000009",
        "0xF39fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
        "X-avax1tzdcgj4ehsvhhgpl7zylwpw0gl2rxcg4r5afk5",
        "bnb1grpf0955h0ykzq3ar5nmum7y6gdfl6lxfn46h2",
        "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
        evm.contracts.usdt,
      ],
      fund: ({ address }, units) => evm.send({ to: address, value: units }),
      mine: (blocks) => evm.mine(blocks),
      reorg: (depth) => evm.reorg(depth),
      fundTwice: ({ address }, first, second) =>
        evm.send({
          to: wallet,
          value: first + second,
          call: ["PayingWallet", "payAll", [address, address], [first, second]],
        }),
      fundFailing: ({ address }, units) =>
        evm.send({
          to: wallet,
          value: units,
          call: ["PayingWallet", "payAllAndFail", [address], [units]],
        }),
      replace: async (txid) => {
        const { from, nonce } = await evm.rpc.call<{ from: string; nonce: string }>(
          "eth_getTransactionByHash",
          [txid],
          signal,
        );
        const to = present(evm.accounts[9], "another account");
        return evm.send({ from, to, value: 1n, nonce: Number(nonce), feeTimes: 3 });
      },
      cutOff: () => {
        gateway.isCutOff = true;
        return Promise.resolve(() => {
          gateway.isCutOff = false;
          return Promise.resolve();
        });
      },
      misconfigured: elsewhere.adapter.reader,
      payer: {
        funds: async () => (await hot.request([])).funds,
        sign: (draft, payments) => hot.sign(draft, payments),
        burnt: async (txid) => {
          const { gasUsed, effectiveGasPrice } = await evm.rpc.call<
            Readonly<Record<"gasUsed" | "effectiveGasPrice", string>>
          >("eth_getTransactionReceipt", [txid], signal);
          return BigInt(gasUsed) * BigInt(effectiveGasPrice);
        },
      },
      outlive: null,
    };
  },
  stop: async () => {
    for (const { close } of clients) await close();
    await gateway.close();
    await evm.stop();
  },
});
