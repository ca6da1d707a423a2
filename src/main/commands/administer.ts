import type { AdministrationContext } from "../../accounts/actor.ts";
import { defaultPeopleSettings } from "../../accounts/people/context.ts";
import { defaultPasswordHashing } from "../../accounts/tokens/password-hash.ts";
import type { CommandContext } from "./command-context.ts";
import { withDeployment } from "./with-deployment.ts";

/** Runs `work` with a deployment's accounts, as the operator. Rejects like `withDeployment`. */
export function administer(
  configFile: string,
  context: CommandContext,
  work: (accounts: AdministrationContext) => Promise<void>,
): Promise<void> {
  return withDeployment(configFile, context, (foundation) =>
    work({
      ...foundation,
      passwordHashing: defaultPasswordHashing,
      people: defaultPeopleSettings,
    }),
  );
}

/** The object that an account action found. Throws if the account has none of this id. */
export function found<Result>(
  result: Result | null,
  kind: "member" | "credential",
  id: string,
): Result {
  if (result === null) throw new Error(`The account has no ${kind} ${id}.`);
  return result;
}
