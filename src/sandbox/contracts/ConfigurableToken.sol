// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// A test token that anyone can switch to a behavior that harms its callers.
contract ConfigurableToken {
    uint8 public constant decimals = 18;
    mapping(address => uint256) public actualBalanceOf;

    /// Ordinary; then what `transfer` does: answers false, reverts, reverts at length, answers at length, burns all gas, calls back;
    /// then what `balanceOf` does: reverts, answers at length, burns all gas, answers nothing, claims a fortune; and again `transfer`:
    /// does nothing and answers true, moves half, moves all to the token itself, keeps a hundredth; and at last burns all gas, while
    /// `balanceOf` answers for three quarters of it.
    enum Behavior {
        good,
        refusing,
        reverting,
        revertingAtLength,
        answeringAtLength,
        burning,
        callingBack,
        blind,
        blindAtLength,
        blindAndBurning,
        silent,
        boasting,
        idle,
        halving,
        astray,
        keepingAFee,
        draining
    }
    Behavior public behavior;
    address public calledBack;
    bytes public withData;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint256 supply) {
        actualBalanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function setBehavior(uint8 to) external {
        behavior = Behavior(to);
    }

    /// What `transfer` calls when it calls back.
    function setCall(address to, bytes calldata data) external {
        calledBack = to;
        withData = data;
    }

    function balanceOf(address owner) external view returns (uint256) {
        if (behavior == Behavior.blind) revert("blind");
        if (behavior == Behavior.blindAtLength) atLength(true);
        if (behavior == Behavior.blindAndBurning) burn();
        if (behavior == Behavior.silent) {
            assembly {
                return(0, 0)
            }
        }
        if (behavior == Behavior.boasting) return type(uint256).max;
        if (behavior == Behavior.draining) burnDownTo(gasleft() / 4);
        return actualBalanceOf[owner];
    }

    function transfer(address to, uint256 value) external returns (bool) {
        if (behavior == Behavior.refusing) return false;
        if (behavior == Behavior.reverting) revert("reverting");
        if (behavior == Behavior.revertingAtLength) atLength(true);
        if (behavior == Behavior.answeringAtLength) atLength(false);
        if (behavior == Behavior.burning || behavior == Behavior.draining) burn();
        if (behavior == Behavior.callingBack) {
            (bool done, ) = calledBack.call(withData);
            require(done, "not called back");
        }
        if (behavior == Behavior.idle) return true;
        if (behavior == Behavior.keepingAFee) {
            move(address(this), value / 100);
            move(to, value - value / 100);
            return true;
        }
        move(behavior == Behavior.astray ? address(this) : to, behavior == Behavior.halving ? value / 2 : value);
        return true;
    }

    function move(address to, uint256 value) private {
        actualBalanceOf[msg.sender] -= value;
        actualBalanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
    }

    /// As much as the gas can pay for: copied by a careless caller, it costs as much again.
    function atLength(bool fails) private pure {
        assembly {
            switch fails
            case 0 {
                return(0, 120000)
            }
            default {
                revert(0, 120000)
            }
        }
    }

    function burn() private view {
        burnDownTo(0);
    }

    function burnDownTo(uint256 gas) private view {
        uint256 i = 0;
        while (gasleft() > gas) i++;
    }
}
