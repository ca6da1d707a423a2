import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Abi, Hex } from "viem";
import { encodeFunctionData } from "viem/utils";
import type { ChainAdapter } from "../../src/chains/chain-adapter.ts";
import { createEvmAdapter } from "../../src/chains/evm/adapter.ts";
import type { EvmChain } from "../../src/chains/evm/evm-chain.ts";
import type { TracingMode } from "../../src/chains/evm/tracing.ts";
import { verifyEvmNode } from "../../src/chains/evm/verify-network.ts";
import type { DerivedAddressing, Transfer } from "../../src/chains/port.ts";
import { createJsonRpc, type JsonRpc } from "../../src/chains/rpc/json-rpc.ts";
import { builtInCurrencies } from "../../src/currencies/built-in-currencies.ts";
import { ethereum } from "../../src/currencies/coins/ethereum.ts";
import type { Currency } from "../../src/currencies/currency.ts";
import { erc20, tokenOf } from "../../src/currencies/token-format.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { type Anvil, startAnvil } from "../../src/sandbox/anvil.ts";
import artifacts from "../../src/sandbox/contracts/artifacts.gen.json" with { type: "json" };
import {
  type ContractName,
  deployContract,
  deployTokens,
} from "../../src/sandbox/deploy-tokens.ts";
import { evmChain } from "./known-chains.ts";

/** m/44'/60'/0' of "test test ... junk", whose children Anvil's developer accounts are. */
const accountXpub =
  "xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP";

/** m/44'/60'/1' and m/44'/60'/2' of the same phrase. */
const treasuryXpubs = {
  hot: "xpub6Ce9NcJvTk372KjsGfWqbcex5DumjpNquQLApoeQUavSCjEc823BV1tb4rXUuPuht8h2hSxkg2EXUaKUJmniJvRZAELxypsCzBFdtosmV76",
  gas: "xpub6Ce9NcJvTk374xmC966FRY8NvVzjBr7FGiEf1h8mWkSwvCkvZ7PsCWEJS3nMsKLtRwsuEWY6indWjZFCB7yTqMpAoU7Z8c8TEkanQrsMF6j",
};

export const eth = "1002" as CurrencyId;
export const usdt = "2015" as CurrencyId;
export const usdc = "2014" as CurrencyId;
export const signal = new AbortController().signal;

export type PrivateEvm = {
  readonly anvil: Anvil;
  readonly folder: string;
  readonly rpc: JsonRpc;
  /** Ether's currency, and the two test tokens at their contracts on this chain. */
  readonly currencies: readonly Currency[];
  readonly contracts: Readonly<Record<"usdt" | "usdc", string>>;
  readonly accounts: readonly string[];
  readonly deploy: (name: ContractName, args?: readonly unknown[]) => Promise<string>;
  /** Sends a call or plain value, which stays unconfirmed. */
  readonly send: (transaction: {
    readonly from?: string;
    readonly to: string;
    readonly value?: bigint;
    readonly call?: readonly [ContractName, string, ...unknown[]];
    readonly nonce?: number;
    readonly feeTimes?: number;
  }) => Promise<string>;
  readonly mine: (blocks?: number) => Promise<void>;
  readonly reorg: (depth: number) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** A private chain that mines on demand, with the test tokens on it. */
export async function startPrivateEvm(chainId = 1337, folder?: string): Promise<PrivateEvm> {
  const home = folder ?? (await mkdtemp(join(tmpdir(), "sluice-evm-")));
  const anvil = await startAnvil({
    folder: home,
    port: 0,
    chainId,
    blockSeconds: null,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
  });
  const { rpc } = anvil;
  const tokens = await deployTokens(rpc, ethereum, signal);
  const contracts = {
    usdt: present(tokens["USDT-ETH"], "USDT-ETH"),
    usdc: present(tokens["USDC-ETH"], "USDC-ETH"),
  };
  const accounts = await rpc.call<readonly string[]>("eth_accounts", [], signal);
  const holder = present(accounts[0], "a developer account");
  return {
    anvil,
    folder: home,
    rpc,
    contracts,
    accounts,
    currencies: currenciesOf("ETH", { [usdt]: contracts.usdt, [usdc]: contracts.usdc }),
    deploy: (name, args = []) => deployContract(rpc, name, args, signal),
    send: ({ from, to, value = 0n, call, nonce, feeTimes = 1 }) =>
      rpc.callOnce<string>(
        "eth_sendTransaction",
        [
          {
            from: from ?? holder,
            to,
            value: quantity(value),
            // Explicit, so that the node accepts what will fail without simulating it.
            ...(call === undefined ? { gas: "0x5208" } : { gas: "0x1e8480", data: encode(call) }),
            ...(nonce === undefined ? {} : { nonce: quantity(BigInt(nonce)) }),
            maxFeePerGas: quantity(10_000_000_000n * BigInt(feeTimes)),
            maxPriorityFeePerGas: quantity(1_000_000_000n * BigInt(feeTimes)),
          },
        ],
        signal,
      ),
    mine: async (blocks = 1) => {
      await rpc.callOnce("anvil_mine", [quantity(BigInt(blocks))], signal);
    },
    reorg: async (depth) => {
      await rpc.callOnce("anvil_reorg", [depth, []], signal);
    },
    stop: async () => {
      await anvil.stop();
      if (folder === undefined) await rm(home, { recursive: true, force: true });
    },
  };
}

function quantity(value: bigint): string {
  return `0x${value.toString(16)}`;
}

function encode([contract, functionName, ...args]: readonly [
  ContractName,
  string,
  ...unknown[],
]): Hex {
  return encodeFunctionData({ abi: artifacts[contract].abi as Abi, functionName, args });
}

/** The program's currencies of a chain, with only the tokens that have a contract in `contracts`. */
export function currenciesOf(
  chain: string,
  contracts: Readonly<Record<string, string>> = {},
): readonly Currency[] {
  return builtInCurrencies
    .filter((currency) => currency.chain === chain)
    .map((currency) => {
      const contract = contracts[currency.id];
      const token = contract === undefined ? null : tokenOf(erc20, contract);
      return { ...currency, token };
    });
}

export type AdapterUnderTest = {
  readonly adapter: ChainAdapter<DerivedAddressing>;
  readonly close: () => Promise<void>;
};

/** The adapter of one EVM chain on the nodes at the URLs. */
export function connectEvm(options: {
  readonly url: string;
  /** Equivalent nodes beside the first one. */
  readonly furtherUrls?: readonly string[];
  readonly currencies: readonly Currency[];
  readonly chain?: string;
  readonly chainId?: number;
  readonly genesisHash?: string;
  readonly tracing?: TracingMode;
  /** Each node is checked before its answers count; off to test the reader's own check. */
  readonly verifies?: boolean;
  /** The longest accepted response. */
  readonly bodyBytesMax?: number;
}): AdapterUnderTest {
  const record: EvmChain = evmChain(options.chain ?? "ETH");
  const network = {
    chainId: options.chainId ?? 1337,
    genesisHash: options.genesisHash ?? null,
  };
  const rpc = createJsonRpc({
    nodes: [options.url, ...(options.furtherUrls ?? [])].map((url) => ({ url })),
    chain: record.chain,
    clock: systemClock,
    logger: silentLogger,
    random: systemRandom,
    timeoutMs: 60_000,
    attempts: 2,
    ...(options.bodyBytesMax === undefined ? {} : { bodyBytesMax: options.bodyBytesMax }),
    ...(options.verifies === false ? {} : { verify: verifyEvmNode(network) }),
  });
  const adapter = createEvmAdapter({
    record,
    network,
    rpc,
    accountXpub,
    treasuryXpubs,
    currencies: options.currencies,
    tracing: options.tracing ?? "auto",
    clock: systemClock,
    logger: silentLogger,
  });
  return { adapter, close: rpc.close };
}

/** The transfers of the newest block. */
export async function newestTransfers({
  reader,
}: ChainAdapter<DerivedAddressing>): Promise<readonly Transfer[]> {
  const content = await reader.readBlock(await reader.tip(signal), signal);
  return present(content, "the tip's content").transfers;
}

/** A transfer as a short text for comparison: `1002 15` or `0x… 15`. */
export function describeTransfer({ asset }: Transfer): string {
  return asset.kind === "currency"
    ? `${asset.amount.currency} ${asset.amount.units}`
    : `${asset.locator} ${asset.units}`;
}
