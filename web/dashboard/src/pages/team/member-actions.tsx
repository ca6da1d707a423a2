import { ActionIcon, Menu, Modal, Text, TextInput } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Member } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { meQuery } from "../../api/me.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { confirmed } from "../../components/confirmed.tsx";
import { ShownOnce } from "../../components/shown-once.tsx";
import { useAction } from "../../components/use-action.ts";
import { useRole } from "../../components/use-role.ts";

type Access = { readonly login: string; readonly password: string };

/** What can be done with a member. */
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
  const [asked, setAsked] = useState<Question | null>(null);
  const refresh = () => queryClient.invalidateQueries({ predicate: isNotMe });
  const activating = useAction({
    mutationFn: () => api.post("/member/{id}/activate/", { id }),
    onSuccess: refresh,
  });
  const close = (): void => {
    setAsked(null);
  };
  if (attributes.role === "owner" && !isOwner) return null;
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" aria-label={`Actions for ${attributes.name}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            onClick={() => {
              onEdit(member);
            }}
          >
            Change
          </Menu.Item>
          {isOwner && attributes.is_active && attributes.needs_confirmation ? (
            <Menu.Item
              onClick={() => {
                setAsked("confirm");
              }}
            >
              Confirm
            </Menu.Item>
          ) : null}
          <Menu.Item
            onClick={() => {
              setAsked("reset");
            }}
          >
            Give a first password
          </Menu.Item>
          {attributes.is_active ? (
            <Menu.Item
              color="red"
              onClick={() => {
                setAsked("deactivate");
              }}
            >
              End
            </Menu.Item>
          ) : (
            <Menu.Item
              onClick={() => {
                activating.mutate();
              }}
            >
              Take back
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <MemberDialogs member={member} asked={asked} onClose={close} onDone={refresh} />
    </>
  );
}

type Question = "confirm" | "deactivate" | "reset";

/** What is asked before something is done with a member. */
function MemberDialogs({
  asked,
  ...dialog
}: Omit<DialogProps, "isOpen"> & { readonly asked: Question | null }) {
  return (
    <>
      <ConfirmMemberDialog {...dialog} isOpen={asked === "confirm"} />
      <EndDialog {...dialog} isOpen={asked === "deactivate"} />
      <ResetDialog {...dialog} isOpen={asked === "reset"} />
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
      title={`Confirm ${attributes.name}?`}
      action="Confirm"
      act={() => confirmed(() => api.post("/member/{id}/confirm/", { id }))}
      onDone={() => void onDone()}
    >
      Confirm only somebody you know: from then on {attributes.name} may approve payouts above the
      account's limits. An Owner who added a member, or gave it a first password, cannot confirm it.
    </ConfirmDialog>
  );
}

function EndDialog({ member: { id, attributes }, isOpen, onClose, onDone }: DialogProps) {
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`End ${attributes.name}?`}
      action="End"
      isDangerous
      act={() => api.post("/member/{id}/deactivate/", { id })}
      onDone={() => void onDone()}
    >
      Their sessions end at once, and their programs' credentials are refused. What they did stays
      in the log, and they can be taken back.
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
        title={`Let ${attributes.name} in anew?`}
        action="Give a first password"
        act={async () => {
          const { data } = await confirmed(() =>
            api.post("/member/{id}/reset-access/", {
              id,
              attributes: login === "" ? {} : { login },
            }),
          );
          const { login: given, initial_password: password } = data.attributes;
          setAccess({ login: given ?? "", password: password ?? "" });
        }}
        onDone={() => void onDone()}
      >
        <Text mb="sm">
          They get a first password, which they change when they sign in. Their second factors are
          removed and their sessions end.
        </Text>
        {attributes.login === null ? (
          <TextInput
            label="Login"
            value={login}
            required
            onChange={({ currentTarget }) => {
              setLogin(currentTarget.value);
            }}
          />
        ) : null}
      </ConfirmDialog>
      <Modal
        opened={access !== null}
        onClose={() => {
          setAccess(null);
        }}
        title={`Access of ${attributes.name}`}
      >
        <FirstPassword access={access} />
      </Modal>
    </>
  );
}

/** A login and its first password, to hand over. */
export function FirstPassword({ access }: { readonly access: Access | null }) {
  return access === null ? null : (
    <ShownOnce
      title="Shown this once"
      secrets={[
        { label: "Login", value: access.login },
        { label: "First password", value: access.password },
      ]}
    >
      Hand it over by a way that you trust. It is changed before anything else can be done.
    </ShownOnce>
  );
}

function isNotMe({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean {
  return queryKey[0] !== meQuery.queryKey[0];
}
