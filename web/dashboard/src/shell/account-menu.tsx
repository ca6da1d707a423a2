import { ActionIcon, Menu, Text } from "@mantine/core";
import { IconLogout, IconShieldLock, IconUserCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useMe } from "../api/me.ts";
import { roleName } from "../components/role-names.ts";
import { t } from "../language/t.ts";
import { leave } from "./leave.tsx";

/** The signed-in member, with links to the profile and to sign out. */
export function AccountMenu() {
  const me = useMe();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={t("Your account")}>
          <IconUserCircle size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {me === null ? null : (
          <Menu.Label>
            <Text size="sm" c="var(--mantine-color-text)" fw={600}>
              {me.name}
            </Text>
            {roleName(me.role)}, {me.account_name}
          </Menu.Label>
        )}
        <Menu.Item component={Link} to="/profile" leftSection={<IconShieldLock size={16} />}>
          {t("Profile and security")}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={leave}>
          {t("Sign out")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
