import type { Command } from "commander";
import type { Testimony } from "../../signer/pair/begin-again.ts";
import { type ConfigOption, commandContext, configFile, configOption } from "./command-line.ts";

type TestimonyOptions = ConfigOption & {
  readonly otherFolder?: string;
  readonly otherIsLost?: boolean;
  readonly folderIsRestored?: boolean;
};

/** `sluice signer pair`: two signers of which one signs; each loads its code when it runs. */
export function addPairCommands(signer: Command): void {
  const group = signer
    .command("pair")
    .description("Manage a pair of signers: one signs, the other takes over");
  const command = (name: string, description: string): Command =>
    group.command(name).description(description).addOption(configOption());
  const testifying = (name: string, description: string): Command =>
    command(name, description)
      .option("--other-folder <epoch>", "what `show` prints as folder on the other signer's host")
      .option("--other-is-lost", "the other signer never starts again with its present folder")
      .option("--folder-is-restored", "this signer's folder is a copy, and no newer one exists");
  testifying("create", "Make this host's signer the active one of a new pair").action(
    async (options: TestimonyOptions) => {
      const { createPair } = await import("./signer-pair.ts");
      await createPair(configFile(options), await testimonyOf(options), commandContext());
    },
  );
  command("show", "Show which signer is active and which are in sync").action(
    async (options: ConfigOption) => {
      const { showPair } = await import("./signer-pair.ts");
      await showPair(configFile(options), commandContext());
    },
  );
  testifying("take-over", "Make this host's signer active although it may lack entries").action(
    async (options: TestimonyOptions) => {
      const { takeOverPair } = await import("./signer-pair.ts");
      await takeOverPair(configFile(options), await testimonyOf(options), commandContext());
    },
  );
}

async function testimonyOf({
  otherFolder,
  otherIsLost = false,
  folderIsRestored = false,
}: TestimonyOptions): Promise<Testimony> {
  const { parseSeenEpoch } = await import("../../signer/pair/epoch-file.ts");
  const other = otherFolder === undefined ? undefined : parseSeenEpoch(otherFolder);
  if (other === null && otherFolder !== "none")
    throw new Error("--other-folder is what show prints there, such as 57:signer-a, or none");
  return { other, isOtherLost: otherIsLost, isFolderRestored: folderIsRestored };
}
