import { ActionIcon, Menu, Text, TextInput } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Member } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { meQuery } from "../../api/me.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { OneTimeSecrets } from "../../components/one-time-secrets.tsx";
import { useAction } from "../../components/use-action.ts";
import { useRole } from "../../components/use-role.ts";
import { withReauthentication } from "../../components/with-reauthentication.tsx";
import { t } from "../../language/t.ts";

type Access = { readonly login: string; readonly password: string };

/** The actions on a team member. */
export function MemberActions({
  member,
  onEdit,
}: {
  readonly member: Member;
  readonly onEdit: (member: Member) => void;
}) {
  const { id, attributes } = member;
  const queryClient = useQueryClient();
  const { isOwner } = useRole();
  const [open, setOpen] = useState<MemberDialogName | null>(null);
  const refresh = () => queryClient.invalidateQueries({ predicate: isNotMe });
  const activating = useAction({
    mutationFn: () => api.post("/member/{id}/activate/", { id }),
    onSuccess: refresh,
  });
  const close = (): void => {
    setOpen(null);
  };
  if (attributes.role === "owner" && !isOwner) return null;
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon
            variant="default"
            aria-label={t("Actions for {name}", { name: attributes.name })}
          >
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            onClick={() => {
              onEdit(member);
            }}
          >
            {t("Edit")}
          </Menu.Item>
          {isOwner && mayBeConfirmed(attributes) ? (
            <Menu.Item
              onClick={() => {
                setOpen("confirm");
              }}
            >
              {t("Confirm")}
            </Menu.Item>
          ) : null}
          <Menu.Item
            onClick={() => {
              setOpen("reset");
            }}
          >
            {t("Reset access")}
          </Menu.Item>
          {attributes.is_active ? (
            <Menu.Item
              color="red"
              onClick={() => {
                setOpen("deactivate");
              }}
            >
              {t("Deactivate")}
            </Menu.Item>
          ) : (
            <Menu.Item
              onClick={() => {
                activating.mutate();
              }}
            >
              {t("Reactivate")}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <MemberDialogs member={member} open={open} onClose={close} onDone={refresh} />
    </>
  );
}

/** A member is confirmed once nobody else knows the password. */
function mayBeConfirmed(attributes: Member["attributes"]): boolean {
  const { is_active, needs_confirmation, must_change_password } = attributes;
  return is_active && needs_confirmation && !must_change_password;
}

type MemberDialogName = "confirm" | "deactivate" | "reset";

function MemberDialogs({
  open,
  ...dialog
}: Omit<DialogProps, "isOpen"> & { readonly open: MemberDialogName | null }) {
  return (
    <>
      <ConfirmMemberDialog {...dialog} isOpen={open === "confirm"} />
      <DeactivateDialog {...dialog} isOpen={open === "deactivate"} />
      <ResetDialog {...dialog} isOpen={open === "reset"} />
    </>
  );
}

type DialogProps = {
  readonly member: Member;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDone: () => Promise<unknown>;
};

function ConfirmMemberDialog({ member: { id, attributes }, isOpen, onClose, onDone }: DialogProps) {
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t("Confirm {name}?", { name: attributes.name })}
      action={t("Confirm")}
      act={() => withReauthentication(() => api.post("/member/{id}/confirm/", { id }))}
      onDone={() => void onDone()}
    >
      {t(
        "Confirm only people you know. {name} will be able to approve payouts above the account's limits. You can't confirm a member whom you added or whose access you reset.",
        { name: attributes.name },
      )}
    </ConfirmDialog>
  );
}

function DeactivateDialog({ member: { id, attributes }, isOpen, onClose, onDone }: DialogProps) {
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t("Deactivate {name}?", { name: attributes.name })}
      action={t("Deactivate")}
      isDangerous
      act={() => api.post("/member/{id}/deactivate/", { id })}
      onDone={() => void onDone()}
    >
      {t(
        "Their sessions end immediately and their API keys stop working. Their audit log entries remain. You can reactivate them later.",
      )}
    </ConfirmDialog>
  );
}

function ResetDialog({ member: { id, attributes }, isOpen, onClose, onDone }: DialogProps) {
  const [access, setAccess] = useState<Access | null>(null);
  const [login, setLogin] = useState("");
  return (
    <>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={onClose}
        title={t("Reset access for {name}?", { name: attributes.name })}
        action={t("Reset access")}
        act={async () => {
          const { data } = await withReauthentication(() =>
            api.post("/member/{id}/reset-access/", {
              id,
              attributes: login === "" ? {} : { login },
            }),
          );
          const { login: newLogin, initial_password: password } = data.attributes;
          setAccess({ login: newLogin ?? "", password: password ?? "" });
        }}
        onDone={() => void onDone()}
      >
        <Text mb="sm">
          {t(
            "They get an initial password, which they must change when they sign in. Their second factors and email address are removed, and their sessions end.",
          )}
        </Text>
        {attributes.login === null ? (
          <TextInput
            label={t("Login")}
            value={login}
            required
            onChange={({ currentTarget }) => {
              setLogin(currentTarget.value);
            }}
          />
        ) : null}
      </ConfirmDialog>
      <Dialog
        opened={access !== null}
        onClose={() => {
          setAccess(null);
        }}
        title={t("Access for {name}", { name: attributes.name })}
      >
        <InitialPassword access={access} />
      </Dialog>
    </>
  );
}

/** A login with its initial password, to hand over. */
export function InitialPassword({ access }: { readonly access: Access | null }) {
  return access === null ? null : (
    <OneTimeSecrets
      title={t("Save this now. It won't be shown again.")}
      secrets={[
        { label: t("Login"), kind: "login", value: access.login },
        { label: t("Initial password"), kind: "initial password", value: access.password },
      ]}
    >
      {t("Share it over a secure channel. It must be changed at the first sign-in.")}
    </OneTimeSecrets>
  );
}

function isNotMe({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean {
  return queryKey[0] !== meQuery.queryKey[0];
}
