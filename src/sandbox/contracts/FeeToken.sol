// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// Keeps one per cent of every transfer: less arrives than was sent, and the log says what arrived.
contract FeeToken {
    string public constant symbol = "FEE";
    uint8 public constant decimals = 18;
    address public immutable collector;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint256 supply) {
        collector = address(this);
        balanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        uint256 fee = value / 100;
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value - fee;
        balanceOf[collector] += fee;
        emit Transfer(msg.sender, collector, fee);
        emit Transfer(msg.sender, to, value - fee);
        return true;
    }
}
