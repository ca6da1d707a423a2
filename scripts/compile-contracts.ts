import { readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/*
 * Compiles the contracts and writes the artifacts that are checked in beside them, so that nothing else needs a compiler: node
 * scripts/compile-contracts.ts
 */

const sandboxFolder = new URL("../src/sandbox/contracts/", import.meta.url);
const evmFolder = new URL("../src/chains/evm/", import.meta.url);
const signerFolder = new URL("../src/signer/evm/", import.meta.url);

type Contract = {
  readonly abi: unknown;
  readonly evm: { readonly bytecode: { readonly object: string } };
};

type Output = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Readonly<Record<string, Record<string, Contract>>>;
};

export type CompiledFile = { readonly url: URL; readonly text: string };

/** The artifact files, identical for identical sources: name, ABI and creation code of each contract of a folder. */
export async function compileContracts(): Promise<readonly CompiledFile[]> {
  const sandbox = await compileFolder(sandboxFolder);
  const evm = await compileFolder(evmFolder);
  // The signer computes on its own what our addresses may delegate to, and imports nothing from the chains.
  const delegates = Object.fromEntries(
    Object.entries(evm).map(([name, { bytecode }]) => [name, { bytecode }]),
  );
  return [
    { url: new URL("artifacts.gen.json", sandboxFolder), text: textOf(sandbox) },
    { url: new URL("artifacts.gen.json", evmFolder), text: textOf(evm) },
    { url: new URL("delegate.gen.json", signerFolder), text: textOf(delegates) },
  ];
}

function textOf(artifacts: unknown): string {
  return `${JSON.stringify(artifacts, null, 1)}\n`;
}

type Artifact = { readonly abi: unknown; readonly bytecode: string };

async function compileFolder(folder: URL): Promise<Readonly<Record<string, Artifact>>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sol")).toSorted();
  const sources: Record<string, { content: string }> = {};
  for (const name of names)
    sources[name] = { content: await readFile(new URL(name, folder), "utf8") };
  const solc = createRequire(import.meta.url)("solc") as { compile: (input: string) => string };
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: "Solidity",
        sources,
        settings: {
          // Runs on every supported chain and hardfork; without metadata the code depends only on the sources' meaning.
          evmVersion: "paris",
          optimizer: { enabled: true, runs: 200 },
          metadata: { appendCBOR: false, bytecodeHash: "none" },
          outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
        },
      }),
    ),
  ) as Output;
  const errors = (output.errors ?? []).filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join("\n"));
  return Object.fromEntries(
    names.map((file) => {
      const name = file.replace(/\.sol$/, "");
      const contract = output.contracts[file]?.[name];
      if (contract === undefined) throw new Error(`${file} defines no contract ${name}`);
      return [name, { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` }];
    }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { url, text } of await compileContracts()) await writeFile(url, text);
