import { join } from "node:path";
import type { Config } from "../../src/main/config/config.ts";
import { signerSocketPath } from "../../src/signer/socket-path.ts";
import { fillByLimit, fillSmallDisk } from "./fill-disk.ts";
import type { Network } from "./network.ts";
import type { Part } from "./part.ts";
import { type ProgramSite, type ProgramTraits, programPart } from "./program-part.ts";
import type { SmallDisk } from "./small-disk.ts";

/** The signers of a deployment. */
export type Signers = {
  /** In the order in which they start, of two with their witness first. */
  readonly parts: readonly Part[];
  /** Their records of signatures, by the signer's name: written before anyone else knows of a signature. */
  readonly journals: Readonly<Record<string, string>>;
  /** The member `signer` in the configuration of a process that asks them. */
  readonly accessOf: (client: string) => Promise<Config["signer"]>;
  /** Resolves once each of two has everything, with null; or after `patienceMs` with what is missing. */
  readonly untilInSync: (patienceMs: number, signal: AbortSignal) => Promise<string | null>;
};

export type SignersSite = {
  /** The member `signer` in the configuration of all: its folder has the keystore. */
  readonly settings: Config["signer"];
  readonly network: Network;
  readonly programSite: ProgramSite;
  /** The small disks by the folder that they hold; none where their files are limited instead. */
  readonly disks: ReadonlyMap<string, SmallDisk>;
  /** Starts a part, which is stopped at the end. */
  readonly start: (part: Part) => Promise<void>;
};

export const readyLine = "signer is listening";

/** One signer, which workers reach on its socket. */
export function singleSigner({ settings, network, programSite, disks }: SignersSite): Signers {
  const { folder } = settings;
  const name = "signer";
  const journal = spendJournalIn(folder);
  const traits = { fillDisk: fillDiskOf(folder, disks) };
  return {
    parts: [programPart(programSite, "signer", name, readyLine, traits)],
    journals: { [name]: journal },
    accessOf: async (client) => {
      if (!network.hasRelays) return settings;
      const own = join(folder, "..", `${client}-signer`);
      await network.laySocket(client, name, signerSocketPath(own), signerSocketPath(folder));
      return { ...settings, folder: own };
    },
    untilInSync: () => Promise.resolve(null),
  };
}

export function spendJournalIn(folder: string): string {
  return join(folder, "spends.journal");
}

/** On its small disk if it has one. */
export function fillDiskOf(
  folder: string,
  disks: SignersSite["disks"],
): NonNullable<ProgramTraits["fillDisk"]> {
  const disk = disks.get(folder);
  return disk === undefined ? fillByLimit(spendJournalIn(folder)) : fillSmallDisk(disk);
}
