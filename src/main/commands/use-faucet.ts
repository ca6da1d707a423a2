import { silentLogger } from "../../platform/kernel/logger.ts";
import { createFaucet, type Faucet } from "../../sandbox/faucet.ts";
import type { SandboxChain, SandboxFile } from "../../sandbox/sandbox-file.ts";
import type { CommandContext } from "./command-context.ts";
import { withReadableErrors } from "./readable-errors.ts";

/** Opens the faucet of one of a running sandbox's chains for as long as `work` takes. Rejects when there is no such chain. */
export async function useFaucet<Result>(
  sandbox: SandboxFile,
  chainId: string,
  context: CommandContext,
  work: (faucet: Faucet, chain: SandboxChain) => Promise<Result>,
): Promise<Result> {
  const chain = Object.hasOwn(sandbox.chains, chainId) ? sandbox.chains[chainId] : undefined;
  if (chain === undefined) {
    const running = Object.keys(sandbox.chains).join(", ");
    throw new Error(`this sandbox does not run the chain ${chainId}, only ${running}`);
  }
  // A node that does not answer is told once, by the error that comes of it.
  const faucet = createFaucet(chainId, chain, { ...context, logger: silentLogger });
  try {
    return await withReadableErrors(() => work(faucet, chain));
  } finally {
    await faucet.close();
  }
}
