import { Argument, type Command, Option } from "commander";
import {
  type ConfigOption,
  commandContext,
  configFile,
  configOption,
  readSeconds,
} from "./command-line.ts";
import { type CurrencySwitch, currencySwitches } from "./currency-switches.ts";

/** What an operator changes while the service runs. Each command loads its code when it runs. */
export function addOperatorCommands(program: Command): void {
  program
    .command("currency")
    .description("Switch a currency on or off, for everyone or for one account")
    .addArgument(new Argument("<switch>").choices(Object.keys(currencySwitches)))
    .argument("<alpha>", "such as USDT-ETH")
    .option("--account <id>", "only for this account")
    .addOption(configOption())
    .action(
      async (
        name: CurrencySwitch,
        alpha: string,
        options: ConfigOption & { readonly account?: string },
      ) => {
        const { setCurrencyState } = await import("./set-currency-state.ts");
        await setCurrencyState(
          configFile(options),
          { switch: name, alpha, accountId: options.account ?? null },
          commandContext(),
        );
      },
    );
  program
    .command("operator")
    .description("Let an account's Owners and Admins operate the whole deployment")
    .argument("<account>", "id of the account")
    .addArgument(new Argument("<state>").choices(["on", "off"]))
    .addOption(configOption())
    .action(async (accountId: string, state: "on" | "off", options: ConfigOption) => {
      const { switchOperator } = await import("./switch-operator.ts");
      await switchOperator(
        configFile(options),
        { accountId, isOperator: state === "on" },
        commandContext(),
      );
    });
  program
    .command("commission")
    .description("Set the commission on deposits or payouts")
    .addArgument(new Argument("<direction>").choices(["deposit", "payout"]))
    .argument("<percent>", "of the amount, such as 0.5")
    .option("--currency <alpha>", "only for this currency; required for fixed and minimum parts")
    .option("--account <id>", "only for this account")
    .addOption(new Option("--fixed <amount>", "added to each payment").default("0"))
    .addOption(new Option("--minimum <amount>", "minimum charge").default("0"))
    .addOption(configOption())
    .action(
      async (
        direction: "deposit" | "payout",
        percent: string,
        options: ConfigOption & {
          readonly currency?: string;
          readonly account?: string;
          readonly fixed: string;
          readonly minimum: string;
        },
      ) => {
        const { setCommission } = await import("./set-commission.ts");
        await setCommission(
          configFile(options),
          {
            direction,
            percent,
            fixed: options.fixed,
            minimum: options.minimum,
            currency: options.currency ?? null,
            accountId: options.account ?? null,
          },
          commandContext(),
        );
      },
    );
  program
    .command("adjust")
    .description("Record a reconciliation difference as operator gain or loss")
    .argument("<alpha>", "such as USDT-ETH")
    .addOption(configOption())
    .action(async (alpha: string, options: ConfigOption) => {
      const { adjustCurrency } = await import("./adjust-currency.ts");
      await adjustCurrency(configFile(options), alpha, commandContext());
    });
  program
    .command("set-up")
    .description("Set up the account that deposits of a chain share: trust lines, required tags")
    .argument("<chain>", "such as XLM")
    .addOption(
      new Option("--wait <seconds>", "how long to wait for the workers")
        .default(60)
        .argParser(readSeconds),
    )
    .addOption(configOption())
    .action(async (chain: string, options: ConfigOption & { readonly wait: number }) => {
      const { setUpAccount } = await import("./set-up-account.ts");
      const { wait: waitSeconds } = options;
      await setUpAccount(configFile(options), { chain, waitSeconds }, commandContext());
    });
  program
    .command("reseal")
    .description("Re-encrypt stored secrets with the current data key")
    .addOption(configOption())
    .action(async (options: ConfigOption) => {
      const { resealSecrets } = await import("./reseal-secrets.ts");
      await resealSecrets(configFile(options), commandContext());
    });
}
