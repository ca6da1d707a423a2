import { type Command, InvalidArgumentError } from "commander";
import { type ConfigOption, commandContext, configFile, configOption } from "./command-line.ts";

const daysDefault = 365;

type Hosts = ConfigOption & { readonly host: readonly string[]; readonly days: number };
type Client = ConfigOption & {
  readonly rights: string;
  readonly days: number;
  readonly out: string;
};

/** `sluice signer certificates`: who may reach the signer over the network; each loads its code when it runs. */
export function addCertificateCommands(signer: Command): void {
  signer.enablePositionalOptions();
  const group = signer
    .command("certificates")
    .description("Manage the certificates with which other machines reach the signer");
  const command = (name: string, description: string): Command =>
    group.command(name).description(description).addOption(configOption());
  const forHosts = (name: string, description: string): Command =>
    command(name, description)
      .requiredOption("--host <names...>", "DNS names or IP addresses of the signer's machine")
      .option("--days <number>", "days until it expires", readDays, daysDefault);

  const create = (isRenewal: boolean) => async (options: Hosts) => {
    const { createCertificates } = await import("./signer-certificates.ts");
    const { host: hosts, days } = options;
    await createCertificates(configFile(options), { hosts, days, isRenewal }, commandContext());
  };
  forHosts("create", "Create a private authority and the signer's certificate").action(
    create(false),
  );
  forHosts("renew", "Replace the signer's certificate").action(create(true));
  command("issue", "Issue a certificate for a client and admit it")
    .argument("<name>", "the client, such as its machine")
    .requiredOption("--out <folder>", "where certificate and key are written")
    .option(
      "--rights <list>",
      "addresses, sign, replicate (the other signer of a pair), or none",
      "addresses,sign",
    )
    .option("--days <number>", "days until it expires", readDays, daysDefault)
    .action(async (name: string, options: Client) => {
      const { issueCertificate, parseRights } = await import("./signer-certificates.ts");
      const { days, out: folder } = options;
      const rights = parseRights(options.rights);
      await issueCertificate(configFile(options), name, { rights, days, folder }, commandContext());
    });
  command("allow", "Admit a client with certificates of another authority, by common name")
    .argument("<name>")
    .option(
      "--rights <list>",
      "addresses, sign, replicate (the other signer of a pair), or none",
      "addresses,sign",
    )
    .action(async (name: string, options: Client) => {
      const { allowClient, parseRights } = await import("./signer-certificates.ts");
      const rights = parseRights(options.rights);
      await allowClient(configFile(options), name, rights, commandContext());
    });
  command("revoke", "Refuse a client from now on")
    .argument("<name>")
    .action(async (name: string, options: ConfigOption) => {
      const { revokeClient } = await import("./signer-certificates.ts");
      await revokeClient(configFile(options), name, commandContext());
    });
  command("list", "List the clients and their rights").action(async (options: ConfigOption) => {
    const { listClients } = await import("./signer-certificates.ts");
    await listClients(configFile(options), commandContext());
  });
}

function readDays(text: string): number {
  const days = Number(text);
  if (/^[1-9]\d{0,3}$/.test(text)) return days;
  throw new InvalidArgumentError("a number of days from 1 to 9999 is needed");
}
