import { createRequire } from "node:module";
import { join } from "node:path";

const platforms: Readonly<Record<string, string>> = {
  linux: "linux",
  darwin: "darwin",
  win32: "win32",
};
const architectures: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/**
 * Path of Anvil's binary in the npm package for this platform. npm's `anvil` command would leave a Node process running that
 * takes more memory than Anvil. Throws if there is none for this platform.
 */
export function findAnvil(): string {
  const platform = platforms[process.platform] ?? process.platform;
  const architecture = architectures[process.arch] ?? process.arch;
  const name = `@foundry-rs/anvil-${platform}-${architecture}`;
  // Resolved from the package that depends on it: npm need not hoist it to ours.
  const anvil = createRequire(import.meta.url).resolve("@foundry-rs/anvil/package.json");
  try {
    const manifest = createRequire(anvil).resolve(`${name}/package.json`);
    return join(manifest, "..", "bin", process.platform === "win32" ? "anvil.exe" : "anvil");
  } catch (error) {
    throw new Error(`no Ethereum node for this machine: the package ${name} is not installed`, {
      cause: error,
    });
  }
}
