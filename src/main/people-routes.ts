import { defaultPeopleSettings, type PeopleContext } from "../accounts/people/context.ts";
import type { SessionContext } from "../accounts/session-context.ts";
import type { Route } from "../http/route.ts";
import { auditEntryRoutes } from "../http/routes/audit-entry.ts";
import { credentialRoutes } from "../http/routes/credential.ts";
import { meRoutes } from "../http/routes/me.ts";
import { memberRoutes } from "../http/routes/member.ts";
import { secondFactorRoutes } from "../http/routes/second-factor.ts";
import { sessionRoutes } from "../http/routes/session.ts";
import { sessionFactorRoutes } from "../http/routes/session-factor.ts";
import { webhookSecretRoutes } from "../http/routes/webhook-secret.ts";
import type { Config } from "./config/config.ts";

/** The routes by which people sign in and run their account. */
export function peopleRoutes(session: SessionContext, config: Config): readonly Route[] {
  const context: PeopleContext = {
    ...session,
    people: {
      ...defaultPeopleSettings,
      approverMinAgeSeconds: config.people.approver_min_age_seconds,
      isSandbox: isSandbox(config),
    },
  };
  return [
    ...sessionRoutes(context),
    ...sessionFactorRoutes(context),
    ...secondFactorRoutes(context),
    ...meRoutes(context),
    ...memberRoutes(context),
    ...credentialRoutes(context),
    ...webhookSecretRoutes(context),
    ...auditEntryRoutes(context),
  ];
}

/** Whether nothing of value can be here: every chain is a private one. */
function isSandbox({ chains }: Config): boolean {
  return Object.values(chains).every(({ network }) => network === "regtest");
}
