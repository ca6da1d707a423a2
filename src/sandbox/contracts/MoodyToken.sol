// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// A test token that anyone can switch to a mood in which it harms its callers.
contract MoodyToken {
    uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOfInGoodMood;

    /// Ordinary; then what `transfer` does: answers false, reverts, reverts at length, answers at length, burns all gas, calls back;
    /// then what `balanceOf` does: reverts, answers at length, burns all gas, answers nothing, claims a fortune; and again `transfer`:
    /// does nothing and answers true, moves half, moves all to the token itself, keeps a hundredth; and at last burns all gas, while
    /// `balanceOf` answers for three quarters of it.
    enum Mood {
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
    Mood public mood;
    address public calledBack;
    bytes public withData;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint256 supply) {
        balanceOfInGoodMood[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function setMood(uint8 to) external {
        mood = Mood(to);
    }

    /// What `transfer` calls in its mood of calling back.
    function setCall(address to, bytes calldata data) external {
        calledBack = to;
        withData = data;
    }

    function balanceOf(address owner) external view returns (uint256) {
        if (mood == Mood.blind) revert("blind");
        if (mood == Mood.blindAtLength) atLength(true);
        if (mood == Mood.blindAndBurning) burn();
        if (mood == Mood.silent) {
            assembly {
                return(0, 0)
            }
        }
        if (mood == Mood.boasting) return type(uint256).max;
        if (mood == Mood.draining) burnDownTo(gasleft() / 4);
        return balanceOfInGoodMood[owner];
    }

    function transfer(address to, uint256 value) external returns (bool) {
        if (mood == Mood.refusing) return false;
        if (mood == Mood.reverting) revert("moody");
        if (mood == Mood.revertingAtLength) atLength(true);
        if (mood == Mood.answeringAtLength) atLength(false);
        if (mood == Mood.burning || mood == Mood.draining) burn();
        if (mood == Mood.callingBack) {
            (bool done, ) = calledBack.call(withData);
            require(done, "not called back");
        }
        if (mood == Mood.idle) return true;
        if (mood == Mood.keepingAFee) {
            move(address(this), value / 100);
            move(to, value - value / 100);
            return true;
        }
        move(mood == Mood.astray ? address(this) : to, mood == Mood.halving ? value / 2 : value);
        return true;
    }

    function move(address to, uint256 value) private {
        balanceOfInGoodMood[msg.sender] -= value;
        balanceOfInGoodMood[to] += value;
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
