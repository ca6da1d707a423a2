import {
  Button,
  Group,
  Radio,
  type RadioGroupProps,
  Skeleton,
  Stack,
  TextInput,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { withReauthentication } from "../../components/with-reauthentication.tsx";
import { t } from "../../language/t.ts";
import { notificationSettingsQuery } from "../profile/notification-settings.ts";
import { InitialPassword } from "./member-actions.tsx";
import { type Rights, RightsFields, rightsInput } from "./rights-fields.tsx";

type Access = { readonly login: string; readonly password: string };

type Values = Rights & {
  name: string;
  /** How the person gets in: by a link that is sent, or with a password that the inviter hands over. */
  way: "email" | "password";
  email: string;
  login: string;
};

type FormProps = { readonly onClose: () => void; readonly onDone: () => void };

/** Invites a member: by email, or with an initial password, which also works on a deployment without a mail server. */
export function InviteDialog({ isOpen, ...form }: FormProps & { readonly isOpen: boolean }) {
  // Programs with a credential of an Owner have no settings; they are asked for both ways.
  const settings = useQuery({ ...notificationSettingsQuery, enabled: isOpen });
  return (
    <Dialog opened={isOpen} onClose={form.onClose} title={t("Invite member")} size="lg">
      {settings.isPending ? (
        <Skeleton height={320} />
      ) : (
        <InviteForm {...form} sendsEmail={settings.data?.sends_email ?? true} />
      )}
    </Dialog>
  );
}

function InviteForm({ sendsEmail, onClose, onDone }: FormProps & { readonly sendsEmail: boolean }) {
  const [access, setAccess] = useState<Access | null>(null);
  const { form, ...sending } = useApiForm<Values, Access | null>({
    initialValues: {
      name: "",
      way: sendsEmail ? "email" : "password",
      email: "",
      login: "",
      role: "read_only",
      all_wallets: true,
      wallet_grants: [],
    },
    send: (values) => withReauthentication(() => send(values)),
    onDone: (created) => {
      onDone();
      if (created === null) onClose();
      else setAccess(created);
    },
  });
  if (access !== null) return <AddedMember access={access} onClose={onClose} />;
  const isSent = form.getValues().way === "email";
  return (
    <DialogForm
      {...sending}
      action={isSent ? t("Send invitation") : t("Add member")}
      onClose={onClose}
    >
      <TextInput
        label={t("Name")}
        maxLength={64}
        required
        data-autofocus
        {...form.getInputProps("name")}
      />
      <AccessChoice sendsEmail={sendsEmail} {...form.getInputProps("way")} />
      {isSent ? (
        <TextInput
          key="email"
          label={t("Email")}
          type="email"
          autoComplete="off"
          required
          {...form.getInputProps("email")}
        />
      ) : (
        <TextInput
          key="login"
          label={t("Login")}
          description={t(
            "A username or email address. Leave empty if this member is used only by API keys.",
          )}
          autoComplete="off"
          {...form.getInputProps("login")}
        />
      )}
      <RightsFields form={form} />
    </DialogForm>
  );
}

type AccessChoiceProps = RadioGroupProps & { readonly sendsEmail: boolean };

function AccessChoice({ sendsEmail, ...input }: Omit<AccessChoiceProps, "children">) {
  return (
    <Radio.Group label={t("How they get access")} {...input}>
      <Stack gap="xs" mt="xs">
        <Radio
          value="email"
          label={t("Link by email")}
          description={
            sendsEmail
              ? t("They choose their own password. The link works once, for 7 days.")
              : t("Not available: this service has no mail server.")
          }
          disabled={!sendsEmail}
        />
        <Radio
          value="password"
          label={t("Initial password")}
          description={t(
            "Shown to you once, to hand over. They must change it when they first sign in.",
          )}
        />
      </Stack>
    </Radio.Group>
  );
}

/** What is to be handed over; null for an invitation by email, and for a member without login. */
async function send(values: Values): Promise<Access | null> {
  const { name, way, email, login } = values;
  const attributes = { name, ...rightsInput(values) };
  if (way === "email") {
    await api.post("/invitation/", { attributes: { ...attributes, email: email.trim() } });
    return null;
  }
  const { data } = await api.post("/member/", {
    attributes: { ...attributes, ...(login === "" ? {} : { login }) },
  });
  const { login: given, initial_password: password } = data.attributes;
  return given === null || password === undefined ? null : { login: given, password };
}

function AddedMember({
  access,
  onClose,
}: {
  readonly access: Access;
  readonly onClose: () => void;
}) {
  return (
    <Stack>
      <InitialPassword access={access} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{t("Done")}</Button>
      </Group>
    </Stack>
  );
}
