import { Button, Group, Stack, Text } from "@mantine/core";
import { IconUserPlus, IconUsers } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Member } from "../../../../../client/src/api-types.gen.ts";
import { listSource } from "../../api/list-source.ts";
import { AdministratorsOnly } from "../../components/administrators-only.tsx";
import { EmptyList } from "../../components/empty-list.tsx";
import type { FilterField } from "../../components/filter-bar.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ResourceTable, type TableColumn } from "../../components/resource-table.tsx";
import { roleChoices, roleName } from "../../components/role-names.ts";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { t } from "../../language/t.ts";
import { InvitationSection } from "./invitation-section.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { MemberActions } from "./member-actions.tsx";
import { MemberDialog } from "./member-dialog.tsx";

const source = listSource("/member/");

const filters: readonly FilterField[] = [
  { kind: "choice", name: "role", label: t("Role"), choices: roleChoices("owner") },
  {
    kind: "choice",
    name: "is_active",
    label: t("Status"),
    choices: [
      { value: "true", label: t("Active") },
      { value: "false", label: t("Deactivated") },
    ],
  },
];

/** The account's team members and their roles. */
export function TeamPage() {
  const queryClient = useQueryClient();
  const [isInviting, setIsInviting] = useState(false);
  const [editing, setEditing] = useState<Member | null>(null);
  const columns = useMemo(() => columnsOf(setEditing), []);
  const refresh = (): void => {
    void queryClient.invalidateQueries();
  };
  return (
    <AdministratorsOnly title={t("Team")}>
      <PageHeader
        title={t("Team")}
        description={t(
          "People and programs with access to this account. Role changes take effect immediately.",
        )}
        actions={
          <Button
            leftSection={<IconUserPlus size={16} />}
            onClick={() => {
              setIsInviting(true);
            }}
          >
            {t("Invite member")}
          </Button>
        }
      />
      <Stack gap="lg">
        <InvitationSection />
        <ResourceTable
          name="Members"
          source={source}
          columns={columns}
          filters={filters}
          search={{ label: t("Search by name"), toFilter: (name) => ({ name }) }}
          empty={
            <EmptyList icon={IconUsers} title={t("No team members yet")}>
              {t("Add the people who manage payments with you.")}
            </EmptyList>
          }
        />
      </Stack>
      <InviteDialog
        isOpen={isInviting}
        onClose={() => {
          setIsInviting(false);
        }}
        onDone={refresh}
      />
      <MemberDialog
        member={editing}
        onClose={() => {
          setEditing(null);
        }}
        onDone={refresh}
      />
    </AdministratorsOnly>
  );
}

function columnsOf(onEdit: (member: Member) => void): readonly TableColumn<Member>[] {
  return [
    {
      id: "name",
      header: "Name",
      sort: "name",
      cell: ({ attributes: { name, login } }) => (
        <div>
          <Text fw={600}>{name}</Text>
          <Text size="sm" c="dimmed">
            {login ?? t("No login")}
          </Text>
        </div>
      ),
      csv: ({ attributes }) => attributes.name,
    },
    {
      id: "role",
      header: "Role",
      sort: "role",
      cell: ({ attributes }) => roleName(attributes.role),
      csv: ({ attributes }) => roleName(attributes.role),
    },
    {
      id: "wallets",
      header: "Wallets",
      cell: ({ attributes: { all_wallets, wallet_grants } }) =>
        all_wallets ? t("All") : t("{count} selected", { count: wallet_grants.length }),
    },
    {
      id: "factor",
      header: "Second factor",
      cell: ({ attributes: { has_totp, passkey_count, login } }) =>
        login === null ? (
          "–"
        ) : has_totp || passkey_count > 0 ? (
          <StatusBadge tone="good" label={has_totp ? t("Authenticator app") : t("Passkey")} />
        ) : (
          <StatusBadge tone="attention" label={t("None|second factor")} />
        ),
    },
    {
      id: "state",
      header: "Status",
      cell: ({ attributes: { is_active, must_change_password, needs_confirmation } }) => {
        if (!is_active) return <StatusBadge tone="neutral" label={t("Deactivated")} />;
        if (must_change_password)
          return <StatusBadge tone="waiting" label={t("Pending first sign-in")} />;
        return needs_confirmation ? (
          <StatusBadge tone="attention" label={t("Unconfirmed")} />
        ) : (
          <StatusBadge tone="good" label={t("Active")} />
        );
      },
    },
    {
      id: "last_seen",
      header: "Last active",
      cell: ({ attributes }) => <TimeText value={attributes.last_seen_at} />,
    },
    {
      id: "actions",
      header: "Actions",
      align: "end",
      cell: (member) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <MemberActions member={member} onEdit={onEdit} />
        </Group>
      ),
    },
  ];
}
