import type { Command } from "commander";
import { type ConfigOption, commandContext, configFile, configOption } from "./command-line.ts";

type TakeOverOptions = ConfigOption & {
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
  command("create", "Make this host's signer the active one of a new pair").action(
    async (options: ConfigOption) => {
      const { createPair } = await import("./signer-pair.ts");
      await createPair(configFile(options), commandContext());
    },
  );
  command("show", "Show which signer is active and which are in sync").action(
    async (options: ConfigOption) => {
      const { showPair } = await import("./signer-pair.ts");
      await showPair(configFile(options), commandContext());
    },
  );
  command("take-over", "Make this host's signer active although it may lack entries")
    .option("--other-is-lost", "the other signer never starts again with its present folder")
    .option("--folder-is-restored", "this signer's folder is a copy, and no newer one exists")
    .action(async (options: TakeOverOptions) => {
      const { takeOverPair } = await import("./signer-pair.ts");
      const isOtherLost = options.otherIsLost === true;
      const isFolderRestored = options.folderIsRestored === true;
      await takeOverPair(configFile(options), { isOtherLost, isFolderRestored }, commandContext());
    });
}
