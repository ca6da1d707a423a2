import { sealedColumn } from "../platform/db/sealed-column.ts";
import { callbackKeyContext } from "./credentials/callback-key.ts";
import { totpContext } from "./people/totp.ts";
import { tokenKeyContext } from "./tokens/rotate-token-keys.ts";
import { webhookSecretContext } from "./webhook-secrets/webhook-secret.ts";

/** The sealed columns of accounts. */
export const accountSealedColumns = [
  sealedColumn({
    table: "account",
    column: "webhook_secret_sealed",
    key: "id",
    keyType: "bigint",
    context: webhookSecretContext,
  }),
  sealedColumn({
    table: "account",
    column: "former_webhook_secret_sealed",
    key: "id",
    keyType: "bigint",
    context: webhookSecretContext,
  }),
  sealedColumn({
    table: "totp",
    column: "secret_sealed",
    key: "id",
    keyType: "bigint",
    context: totpContext,
  }),
  sealedColumn({
    table: "credential",
    column: "callback_key_sealed",
    key: "id",
    keyType: "bigint",
    context: callbackKeyContext,
  }),
  sealedColumn({
    table: "token_key",
    column: "private_jwk_sealed",
    key: "id",
    keyType: "text",
    context: tokenKeyContext,
  }),
];
