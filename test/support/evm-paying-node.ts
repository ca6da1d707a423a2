import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { fundHotAccount, type HotAccount, openHotAccount } from "./evm-hot-account.ts";
import {
  type AdapterUnderTest,
  connectEvm,
  currenciesOf,
  type PrivateEvm,
  startPrivateEvm,
  usdc,
  usdt,
} from "./private-evm.ts";
import { type RpcGateway, startGateway } from "./rpc-gateway.ts";

export const dai = "2068" as CurrencyId;

/** A private chain behind a gateway, with a hot account whose funds are three blocks deep. */
export type PayingNode = {
  readonly evm: PrivateEvm;
  readonly gateway: RpcGateway;
  readonly client: AdapterUnderTest;
  readonly hot: HotAccount;
  /** The contract of `dai` here; a test that pays in it sets the contract's code. */
  readonly daiContract: string;
  readonly close: () => Promise<void>;
};

/** For tests of the adapter's writer; a test file starts one and closes it. */
export async function startPayingNode(): Promise<PayingNode> {
  const evm = await startPrivateEvm();
  const gateway = await startGateway(evm.anvil.url);
  const daiContract = `0x${"5b".repeat(20)}`;
  const currencies = currenciesOf("ETH", {
    [usdt]: evm.contracts.usdt,
    [usdc]: evm.contracts.usdc,
    [dai]: daiContract,
  });
  const client = connectEvm({ url: gateway.url, currencies });
  const hot = openHotAccount(evm, client.adapter, currencies);
  await fundHotAccount(evm, hot.address);
  await evm.mine(3);
  return {
    evm,
    gateway,
    client,
    hot,
    daiContract,
    close: async () => {
      await client.close();
      await gateway.close();
      await evm.stop();
    },
  };
}
