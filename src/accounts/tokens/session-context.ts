import type { Logger } from "../../platform/kernel/logger.ts";
import type { AccountsContext } from "../context.ts";
import type { AccessTokens } from "./access-token.ts";
import type { TokenSettings } from "./token-settings.ts";

/** What sessions are started and refreshed with. */
export type SessionContext = AccountsContext & {
  readonly logger: Logger;
  readonly accessTokens: AccessTokens;
  readonly tokenSettings: TokenSettings;
};
