import type { ReorgTransactions } from "../../sandbox/chain-payer.ts";
import { readSandboxFile } from "../../sandbox/sandbox-file.ts";
import type { CommandContext } from "./command-context.ts";
import { useFaucet } from "./use-faucet.ts";

/** `sluice mine CHAIN COUNT`: mines blocks on a chain of the running sandbox and prints its new tip. */
export async function mineBlocks(
  options: { readonly home: string; readonly chain: string; readonly count: number },
  context: CommandContext,
): Promise<void> {
  const chain = options.chain.toUpperCase();
  const sandbox = await readSandboxFile(options.home);
  const tip = await useFaucet(sandbox, chain, context, (faucet) => faucet.mine(options.count));
  context.print(`${chain} is at block ${tip.height} ${tip.hash}`);
}

/**
 * `sluice reorg CHAIN DEPTH`: replaces the newest blocks of a chain of the running sandbox and prints its new tip. Their
 * transactions become pending again, or are mined in the new blocks (`include`).
 */
export async function reorgChain(
  options: {
    readonly home: string;
    readonly chain: string;
    readonly depth: number;
    readonly transactions: ReorgTransactions;
  },
  context: CommandContext,
): Promise<void> {
  const { depth, transactions } = options;
  const chain = options.chain.toUpperCase();
  const sandbox = await readSandboxFile(options.home);
  const tip = await useFaucet(sandbox, chain, context, (faucet) =>
    faucet.reorg(depth, transactions),
  );
  context.print(`${chain} is at block ${tip.height} ${tip.hash}`);
  if (transactions === "wait") {
    context.print(
      `The transactions of the replaced blocks are pending again. To mine them: npx sluice mine ${chain} 1`,
    );
  }
}
